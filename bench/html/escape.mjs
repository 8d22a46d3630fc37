const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Names and reasons come from libraries and files: whatever they say, it is text. */
export const escape = text => String(text).replace(/[&<>"']/g, sign => ENTITIES[sign])
