import type { Controller } from '../../controller/Controller.ts'
import type { State } from '../../store/State.ts'
import type { RecordedCommit } from '../RecordedCommit.ts'
import type { Recording } from '../Recording.ts'
import type { Session } from '../session.ts'

/** One view of the panel. */
export interface Tab {
  readonly element: HTMLElement
  /** Brings it up to date. Called at most once a frame, while it is in sight. */
  update(): void
  /** The number beside its name. */
  count?(): number
}

/** What the tabs of a panel share. */
export class PanelModel {
  declare readonly recording: Recording
  declare readonly controller: Controller
  /** Opened from a file, shown instead of the recording. */
  declare opened: Session | undefined
  /** The commit that was chosen. */
  declare commit: RecordedCommit | undefined
  /** The row or view that was chosen, by its name. */
  declare subject: string | undefined
  /** The commit whose state readers are shown. */
  declare visible: RecordedCommit | undefined
  /** Brings the panel up to date, at `tab` if that is given. */
  readonly #update: (tab?: string) => void

  constructor(recording: Recording, update: (tab?: string) => void) {
    this.recording = recording
    this.controller = recording.controller
    this.#update = update
  }

  get session(): Session {
    return this.opened ?? this.recording
  }

  /** The state to look into: the one that readers are shown, or the last one of a file. */
  get state(): State {
    return this.visible?.after ?? this.opened?.commits.at(-1)?.after ?? this.controller.timeline.visible
  }

  choose(commit: RecordedCommit | undefined, tab?: string): void {
    this.commit = commit
    this.#update(tab)
  }

  /** Says why a row or view changed. */
  ask(subject: string): void {
    this.subject = subject
    this.#update('Why')
  }

  open(session: Session | undefined): void {
    this.showNow()
    this.opened = session
    this.commit = this.subject = undefined
  }

  /** Shows readers the state after a commit, which is chosen with it. */
  show(commit: RecordedCommit): void {
    this.visible = this.commit = commit
    this.recording.travel.to(commit.after)
    this.#update()
  }

  showNow(): void {
    this.visible = undefined
    this.recording.travel.back()
    this.#update()
  }
}

/** A function that says whether its arguments differ from those before. What is drawn stays while they do not: somebody may be writing into a field. */
export function createCheck(): (...now: readonly unknown[]) => boolean {
  let before: readonly unknown[] = []
  return (...now) => {
    const isSame = now.length === before.length && now.every((each, i) => each === before[i])
    before = now
    return !isSame
  }
}
