import { signal, type ReadonlySignal } from '@preact/signals-core'
import type { Controller } from 'patchcord'
import { Service } from './resources.ts'

/** What the board has cost so far. */
export interface Reading {
  /** Answers with all rows in them. */
  readonly polls: number
  /** Patches that came out of the last one. */
  readonly patches: number
  /** What the last one did to the page: texts and attributes written, nodes added and removed. */
  readonly mutations: number
  /** Rows made since the board was first shown. */
  readonly created: number
}

export interface Meter {
  readonly reading: ReadonlySignal<Reading>
  /** Counts what happens below `board` from now on. */
  watch(board: Element): void
  stop(): void
}

/** Counts patches where they are made, and changes of the page where they arrive: by no word of the library. */
export function createMeter(controller: Controller): Meter {
  const reading = signal<Reading>({ polls: 0, patches: 0, mutations: 0, created: 0 })
  const isRow = (node: Node): boolean => node instanceof Element && node.matches('.service')
  const isInRow = (node: Node): boolean => Boolean((node instanceof Element ? node : node.parentElement)?.closest('.service'))
  const observer = new MutationObserver(all => {
    // Messages beside the rows, that there is no server for example, are no part of them.
    const records = all.filter(({ target, addedNodes, removedNodes }) => isInRow(target) || [...addedNodes, ...removedNodes].some(isRow))
    if (records.length === 0) return
    const added = records.flatMap(({ addedNodes }) => [...addedNodes].filter(isRow))
    reading.value = { ...reading.value, mutations: records.length, created: reading.value.created + added.length }
  })
  const unsubscribe = controller.subscribePatches(({ patches, cause }) => {
    const rows = patches.filter(({ path }) => path[1] === Service.key)
    if (cause === 'fetch' && rows.length > 0) reading.value = { ...reading.value, polls: reading.value.polls + 1, patches: rows.length, mutations: 0 }
  })
  return {
    reading,
    watch(board) {
      // Where the data was here already, so are the rows.
      reading.value = { ...reading.value, created: board.querySelectorAll('.service').length }
      observer.observe(board, { subtree: true, childList: true, characterData: true, attributes: true })
    },
    stop() {
      observer.disconnect()
      unsubscribe()
    },
  }
}
