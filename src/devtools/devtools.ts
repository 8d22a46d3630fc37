import type { Controller } from '../controller/Controller.ts'
import { createPanel } from './panel/createPanel.ts'
import { createRecording } from './createRecording.ts'
import type { DevtoolsOptions } from './DevtoolsOptions.ts'
import type { Recording } from './Recording.ts'
import { connectRedux } from './redux.ts'

/**
 * What `devtools` returns.
 *
 * @example
 * const tools: Devtools = devtools(controller)
 * tools.open()
 * tools.dispose()
 */
export interface Devtools {
  readonly recording: Recording
  readonly open: () => void
  readonly close: () => void
  /** Shows readers the state after this commit, until `showNow`. Writes go on underneath. */
  readonly show: (commit: { readonly id: number }) => void
  /** Shows the newest state, and every one after it. */
  readonly showNow: () => void
  /** Removes the panel and stops recording. */
  readonly dispose: () => void
}

/**
 * Records every commit of a controller from now on, and adds a panel to the page that shows them.
 *
 * @example
 * const tools = devtools(controller)
 * await controller.fetch(TodoResource.getList)
 * console.log(tools.recording.commits.at(-1)?.endpoint) // GET /todos
 */
export function devtools(controller: Controller, options: DevtoolsOptions = {}): Devtools {
  const recording = controller.manager(createRecording)
  recording.resume()
  const { name = 'patchcord', redux = true } = options
  const disconnect = redux ? connectRedux(recording, name) : () => {}
  const panel = options.panel === false || typeof document === 'undefined' ? undefined : createPanel(recording, options)
  return {
    recording,
    open: () => panel?.open(),
    close: () => panel?.close(),
    show: ({ id }) => {
      const found = recording.commits.find(commit => commit.id === id)
      if (found) recording.travel.to(found.after)
    },
    showNow: () => recording.travel.back(),
    dispose() {
      disconnect()
      panel?.dispose()
      recording.stop()
    },
  }
}
