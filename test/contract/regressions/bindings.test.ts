import { h } from 'preact'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { useQuerySignal } from '../../../bindings/preact/index.ts'
import { dehydrate, exportState, hydrate } from '../../../src/index.ts'
import { WAITING, type Framework, type Reader } from '../bindings/framework.ts'
import { preactFramework } from '../bindings/preactFramework.ts'
import { Stage, Todo as StageTodo } from '../bindings/preactStage.ts'
import { solidFramework } from '../bindings/solidFramework.ts'
import { quiet, until } from '../bindings/wire.ts'
import { withDom } from '../../support/dom.ts'
import { get, getList, open, partialUpdate, Todo } from './page.ts'

const test = suite('regressions: bindings')
withDom(test)

const { gc } = globalThis as { gc?: () => void }
const title = (read: Reader): string => String((read.data as Todo | undefined)?.title)

for (const framework of [solidFramework, preactFramework]) bindings(framework)

function bindings(framework: Framework): void {
  const named = (name: string, body: () => Promise<void>): void => test(`${framework.name}: ${name}`, body)

  named('TanStack/query#9886 #5839 arguments that are made anew at every run neither ask nor run for ever', async () => {
    const { controller, wire } = open()
    let runs = 0
    const screen = framework.mount({ controller, hook: 'useSuspense', target: getList, args: () => ({ filter: { tags: ['a'] } }), text: read => `${++runs} ${(read.data as Todo[] | undefined)?.length}` })
    await until(() => wire.pending === 1)
    await wire.answer(wire.sent[0]!.slice(4), [{ id: '1' }])
    await until(() => screen.text().endsWith('1'))
    for (let i = 0; i < 3; i++) await quiet()
    assert.is(wire.sent.length, 1)
    assert.ok(runs <= 6, `${runs} runs`)
    screen.unmount()
    controller.dispose()
  })

  named('apollo-client#11186 #10629 #12804, TanStack/query#7748 after switches there and back, answered in the wrong order, the last choice shows', async () => {
    const { controller, wire } = open()
    const id = framework.cell('1')
    const seen: string[] = []
    const screen = framework.mount({ controller, hook: 'useSuspense', target: get, args: () => ({ id: id.get() }), text: read => (seen.push(title(read)), title(read)) })
    await until(() => wire.pending === 1)
    for (const next of ['2', '3', '2']) {
      id.set(next)
      await quiet()
    }
    // Where a read that nobody waits for any more was aborted, the last choice is asked for again.
    const lost = wire.aborted.includes('GET /todos/2') ? ['2'] : []
    for (const each of ['3', '1', ...lost, '2']) await wire.answer(`/todos/${each}`, { id: each, title: `title ${each}` })
    await until(() => screen.text() === 'title 2')
    await quiet()
    assert.equal([screen.text(), wire.sent.length], ['title 2', 3 + lost.length])
    assert.not.ok(seen.includes('title 3') || seen.includes('title 1'))
    screen.unmount()
    controller.dispose()
  })

  named('data-client 515fcb84, zero#4051 #4048 who unmounts takes away his own use, once, and not that of others', async () => {
    const { controller, clock } = open()
    controller.setResponse(get, { id: '1' }, { id: '1', title: 'stored' })
    // Never stale: what would be fetched again would be there anyway.
    const lasting = get.extend({ dataExpiryLength: Infinity })
    const mount = (): ReturnType<Framework['mount']> => framework.mount({ controller, hook: 'useCache', target: lasting, args: () => ({ id: '1' }), text: title })
    const [first, second, third] = [mount(), mount(), mount()]
    const hours = async (): Promise<void> => {
      for (let i = 0; i < 12; i++) {
        clock.advance(600_000)
        await new Promise(resolve => setTimeout(resolve))
        gc?.()
      }
    }
    first.unmount()
    first.unmount()
    third.unmount()
    await hours()
    assert.is(second.text(), 'stored')
    assert.is(controller.get(Todo, { id: '1' })?.title, 'stored')
    second.unmount()
    await hours()
    // Preact lets go of a computed when the engine does, which only a test can ask for.
    if (gc !== undefined) assert.equal(exportState(controller.snapshot()).entities.flatMap(([, rows]) => rows), [])
    controller.dispose()
  })

  named('TanStack/query#9565 mounted, unmounted and mounted again at once: asked once, and shown', async () => {
    const { controller, wire } = open()
    const mount = (): ReturnType<Framework['mount']> => framework.mount({ controller, hook: 'useSuspense', target: get, args: () => ({ id: '1' }), text: title })
    mount().unmount()
    const screen = mount()
    assert.is(screen.text(), WAITING)
    await wire.answer('/todos/1', { id: '1', title: 'milk' })
    await until(() => screen.text() === 'milk')
    await quiet()
    assert.is(wire.sent.length, 1)
    screen.unmount()
    controller.dispose()
  })

  named('TanStack/query#6982 #7009 what came with the page is shown at once, and not asked for', async () => {
    const server = open().controller
    server.setResponse(getList, [{ id: '1', title: 'sent' }])
    const { controller, wire } = open()
    hydrate(controller, JSON.stringify(dehydrate(server)))
    const screen = framework.mount({ controller, hook: 'useSuspense', target: getList, args: () => undefined, text: read => String((read.data as Todo[] | undefined)?.[0]?.title) })
    assert.is(screen.text(), 'sent')
    await quiet()
    assert.equal(wire.sent, [])
    screen.unmount()
    controller.dispose()
  })

  named('zero#3608 one commit with a list and its rows is one run of who shows them', async () => {
    const { controller } = open()
    controller.setResponse(getList, [{ id: '1', title: 'a' }, { id: '2', title: 'b' }])
    const texts: string[] = []
    const screen = framework.mount({
      controller,
      hook: 'useCache',
      target: getList,
      args: () => undefined,
      text: read => {
        texts.push(((read.data as Todo[] | undefined) ?? []).map(todo => todo.title).join())
        return texts.at(-1)!
      },
    })
    const before = texts.length
    controller.setResponse(getList, [{ id: '3', title: 'z' }, { id: '2', title: 'y' }, { id: '1', title: 'x' }])
    await until(() => screen.text() === 'z,y,x')
    await quiet()
    assert.equal(texts.slice(before), ['z,y,x'])
    screen.unmount()
    controller.dispose()
  })

  named('swr#425, apollo-client#7894 a toggle that is pressed twice never shows what was there before the first', async () => {
    const { controller, wire } = open()
    controller.setResponse(get, { id: '1' }, { id: '1', title: 'off' })
    const texts: string[] = []
    const screen = framework.mount({ controller, hook: 'useSuspense', target: get, args: () => ({ id: '1' }), text: read => (texts.push(title(read)), title(read)) })
    const calls = ['on', 'still on'].map(next => controller.fetch(partialUpdate, { id: '1' }, { title: next }))
    await until(() => screen.text() === 'still on')
    const since = texts.length
    for (const next of ['on', 'still on']) await wire.answer('/todos/1', { id: '1', title: next })
    await Promise.all(calls)
    await quiet()
    assert.equal([screen.text(), texts.slice(since).filter(text => text !== 'still on')], ['still on', []])
    screen.unmount()
    controller.dispose()
  })
}

test('preact: signals#788 a signal that a hook gives is the same one at every render', async () => {
  const stage = new Stage()
  stage.controller.set(StageTodo, { id: '1', title: 'a' })
  const given = new Set<unknown>()
  const App = ({ turn }: { turn: number }): ReturnType<typeof h> => {
    const todo = useQuerySignal(StageTodo, { id: '1' })
    given.add(todo)
    return h('p', null, turn, todo.value?.title)
  }
  for (let turn = 0; turn < 3; turn++) stage.show(h(App, { turn }))
  assert.equal([given.size, stage.text], [1, '2a'])
  stage.end()
})

test.run()
