/**
 * Options of `devtools`.
 *
 * @example
 * const options: DevtoolsOptions = { dock: 'right', theme: 'dark', redux: false }
 * devtools(controller, options)
 */
export interface DevtoolsOptions {
  /** With `false` there is no panel, only the recording. Without a `document` there is none either. */
  readonly panel?: boolean
  /** Whether the panel is open at first. Later it is as it was left. */
  readonly open?: boolean
  /** Where the panel is at first. Below 700 pixels it is always below. */
  readonly dock?: 'bottom' | 'right'
  /** The colors; those of the system unless given. */
  readonly theme?: 'light' | 'dark'
  /** With `false` nothing is sent to the Redux DevTools extension. */
  readonly redux?: boolean
  /** What the panel and the extension call this store; `patchcord` unless given. */
  readonly name?: string
  /** Where the panel is added; `document.body` unless given. */
  readonly parent?: Element
}
