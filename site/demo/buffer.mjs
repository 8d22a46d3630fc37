const toUrl = (text) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const fromUrl = (text) => text.replaceAll('-', '+').replaceAll('_', '/')

/** As much of Node's `Buffer` as the demo's server needs: text to base64url and back. The texts are ASCII. */
export const Buffer = {
  from: (text, encoding) => ({ toString: (to) => (to === 'base64url' ? toUrl(btoa(text)) : encoding === 'base64url' ? atob(fromUrl(text)) : text) }),
}
