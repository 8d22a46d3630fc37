import { Controller, createRefocus } from 'patchcord'
import { Journal } from './journal.ts'
import { fetchFromTab } from './network.ts'

/** The store of this page. Who returns to the tab sees what others changed meanwhile. */
export const controller: Controller = new Controller({ timeout: 10_000, fetch: fetchFromTab, managers: [createRefocus()] })
/** What the user did. */
export const journal: Journal = new Journal(controller)

// Two windows side by side are visible all the time: there the focus tells that the user returns.
addEventListener('focus', () => controller.expireAll({ testKey: () => true }))
