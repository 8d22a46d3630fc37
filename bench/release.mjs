import { buildCommit } from '../test/versus/builds.mjs'

const COMMIT = 'b7d61ec'

/**
 * The path of `dist/index.js` of release 0.1.0. Built once, and stored in the temporary folder of the system.
 *
 * @param {(text: string) => void} [say]
 */
export const releaseDoor = (say = () => {}) => buildCommit(COMMIT, say)
