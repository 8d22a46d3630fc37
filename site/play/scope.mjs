import * as signals from '@preact/signals-core'
import { historyOf } from 'patchcord/history'
import * as prelude from '../../test/contract/docs/prelude.ts'
import { loadModule } from './modules.mjs'

/** The names around an example of the API: those that the test of these examples gives them. */
export async function scopeOf(door) {
  const [library, own] = await Promise.all([loadModule('patchcord'), loadModule(door)])
  const network = prelude.network()
  globalThis.fetch = network
  const controller = prelude.makeController(network)
  await controller.fetch(prelude.TodoResource.getList)
  const saved = JSON.stringify(prelude.savedState)
  const { batch, computed, effect, signal, untracked } = signals
  return {
    batch, computed, effect, signal, untracked,
    ...prelude,
    ...library,
    ...own,
    controller,
    fetch: network,
    history: historyOf(controller),
    document: { getElementById: () => ({ textContent: saved }) },
    localStorage: { getItem: () => saved, setItem() {} },
  }
}
