import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { exportState } from '../../../src/index.ts'
import type { Framework, Reader } from '../bindings/framework.ts'
import { preactFramework } from '../bindings/preactFramework.ts'
import { solidFramework } from '../bindings/solidFramework.ts'
import { quiet, until } from '../bindings/wire.ts'
import { withDom } from '../../support/dom.ts'
import { get, minutes, open, Todo } from './page.ts'

const test = suite('regressions: bindings')
withDom(test)

const { gc } = globalThis as { gc?: () => void }
const title = (read: Reader): string => String((read.data as Todo | undefined)?.title)

for (const framework of [solidFramework, preactFramework]) bindings(framework)

function bindings(framework: Framework): void {
  const named = (name: string, body: () => Promise<void>): void => test(`${framework.name}: ${name}`, body)

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
    first.unmount()
    first.unmount()
    third.unmount()
    await minutes(clock)
    assert.is(second.text(), 'stored')
    assert.is(controller.get(Todo, { id: '1' })?.title, 'stored')
    second.unmount()
    await minutes(clock)
    // Preact lets go of a computed when the engine does, which only a test can ask for.
    if (gc !== undefined) assert.equal(exportState(controller.snapshot()).entities.flatMap(([, rows]) => rows), [])
    controller.dispose()
  })
}

test.run()
