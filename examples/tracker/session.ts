import { Controller } from 'patchcord'
import { Journal } from './journal.ts'

/** The store of this page, and what its user did. */
export const controller: Controller = new Controller({ timeout: 10_000 })
export const journal: Journal = new Journal(controller)
