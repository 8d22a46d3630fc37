import { exportSession, importSession } from '../session.ts'
import { button, h, iconButton, setIcon } from './dom.ts'
import type { PanelModel, Tab } from './PanelModel.ts'
import { clockText } from './text.ts'

/** Milliseconds between two commits while playing. */
const PACE = 500

/** Moves readers through the commits, and back to now. */
export function createTravelBar(model: PanelModel): Tab & { stop(): void } {
  let timer: ReturnType<typeof setInterval> | undefined

  const position = (): number => {
    const { visible, session } = model
    return visible ? session.commits.indexOf(visible) : session.commits.length - 1
  }

  /** The newest commit of the recording is now. */
  const go = (at: number): void => {
    const { commits } = model.session
    const commit = commits[Math.min(Math.max(at, 0), commits.length - 1)]
    if (commit === commits.at(-1) && !model.opened) model.showNow()
    else if (commit) model.show(commit)
  }

  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
    update()
  }

  const play = (): void => {
    if (timer !== undefined) return stop()
    const isAtEnd = (): boolean => position() === model.session.commits.length - 1
    if (isAtEnd()) go(0)
    timer = setInterval(() => {
      go(position() + 1)
      if (isAtEnd()) stop()
    }, PACE)
    update()
  }

  const save = (): void => {
    const href = URL.createObjectURL(new Blob([exportSession(model.session)]))
    h('a', { href, download: 'patchcord-session.json' }).click()
    setTimeout(() => URL.revokeObjectURL(href), 1000)
  }

  const load = async (): Promise<void> => {
    const [chosen] = file.files ?? []
    file.value = ''
    try {
      if (chosen) model.open(importSession(await chosen.text()))
    } catch (error) {
      where.textContent = (error as Error).message
    }
  }

  const update = (): void => {
    const { visible, opened, session } = model
    range.max = `${session.commits.length - 1}`
    range.value = `${position()}`
    element.classList.toggle('away', visible !== undefined)
    backToNow.hidden = !visible
    closeFile.hidden = !opened
    where.textContent = visible ? `#${visible.id} ${clockText(visible.at)}, read only` : opened ? 'A session from a file' : 'Now'
    setIcon(playButton, timer === undefined ? 'play' : 'pause')
  }

  const stopping = (work: () => void) => (): void => {
    stop()
    work()
  }
  const step = (icon: string, label: string, by: number): HTMLElement => iconButton(icon, label, stopping(() => go(position() + by)))
  const playButton = iconButton('play', 'Play', play)
  const range = h('input', { type: 'range', min: 0, 'aria-label': 'Commit to show', input: () => go(Number(range.value)) })
  const where = h('span.where', { role: 'status' })
  const backToNow = button('Back to now', stopping(() => model.showNow()))
  const closeFile = button('Close file', stopping(() => model.open(undefined)))
  const file = h('input', { type: 'file', accept: '.json', hidden: true, change: () => void load() })
  const element = h('footer.travel', step('previous', 'Step back', -1), playButton, step('next', 'Step forward', 1), range, where, backToNow, closeFile, iconButton('save', 'Export this session', save), iconButton('load', 'Open a session', () => file.click()), file)
  return { element, update, stop }
}
