import { createComponent, createRenderEffect, For, Suspense, type JSX } from 'solid-js'
import { insert, render, template } from 'solid-js/web'
import { DataProvider, useLive } from '../../bindings/solid/index.ts'
import { Controller, createResource, Entity } from '../../src/index.ts'
import { connect } from '../../src/push/index.ts'

// The page of a user: a list of issues that the stream updates, and notes on what it has displayed.

class Issue extends Entity {
  static override key = 'Issue'
  static override version = 'version'
  id = ''
  title = ''
  status = ''
  version = 0
}

const IssueResource = createResource({ path: '/issues/:id', schema: Issue, optimistic: true, body: {} as { title?: string } })
const getList = IssueResource.getList.extend({ stream: true })
const errors: string[] = []
const controller = new Controller({ timeout: 5000, onError: error => void errors.push(String((error as Error).cause ?? error)) })
connect(controller, { url: '/stream', types: { Issue: IssueResource.getList.move.schema } })

export interface Row {
  readonly id: string
  readonly version: number
  readonly title: string
}

/** What is on the page, as the user sees it. */
const visibleRows = (): Row[] =>
  [...document.querySelectorAll('li')].map(item => {
    const text = (tag: string): string => item.querySelector(tag)!.textContent!
    return { id: item.dataset['id']!, version: Number(text('i')), title: text('b') }
  })

const latest = new Map<string, number>()
let doubles = 0
let setbacks = 0
const look = (): void => {
  const ids = new Set<string>()
  for (const { id, version } of visibleRows()) {
    if (ids.has(id)) doubles++
    ids.add(id)
    if (version < (latest.get(id) ?? 0)) setbacks++
    latest.set(id, version)
  }
  for (const id of latest.keys()) if (!ids.has(id)) latest.delete(id)
}

const row = template('<li><b></b> <i></i></li>')
const root = document.createElement('ul')
document.body.append(root)
function Issues(): JSX.Element {
  const issues = useLive(getList)
  return createComponent(For, {
    get each() {
      return issues()
    },
    children: (issue: Issue) => {
      const item = row() as HTMLElement
      createRenderEffect(() => void (item.dataset['id'] = issue.id))
      insert(item.querySelector('b')!, () => issue.title)
      insert(item.querySelector('i')!, () => String(issue.version))
      return item
    },
  })
}

render(
  () =>
    createComponent(DataProvider, {
      controller,
      get children() {
        return createComponent(Suspense, {
          get children() {
            return createComponent(Issues, {})
          },
        })
      },
    }),
  root,
)
new MutationObserver(look).observe(root, { childList: true, characterData: true, subtree: true })

/** Changes something, as a user would. */
const act = async (name: string): Promise<boolean> => {
  const rows = visibleRows().filter(({ version }) => version > 0)
  const chosen = rows[Math.floor(Math.random() * rows.length)]
  const dice = Math.random()
  try {
    if (!chosen || (dice < 0.1 && rows.length < 40)) await controller.fetch(IssueResource.getList.push, { title: name })
    else if (dice < 0.17 && rows.length > 10) await controller.fetch(IssueResource.delete, { id: chosen.id })
    else await controller.fetch(IssueResource.partialUpdate, { id: chosen.id }, { title: name })
    return true
  } catch {
    // The server is away. The change was rolled back, or it was made and the stream brings it.
    return false
  }
}

/** What a test does to the page. */
export interface IssuesPage {
  readonly act: (name: string) => Promise<boolean>
  readonly visibleRows: () => Row[]
  readonly report: () => { doubles: number; setbacks: number; errors: string[] }
}

const issues: IssuesPage = { act, visibleRows, report: () => ({ doubles, setbacks, errors }) }
Object.assign(globalThis, { issues })
