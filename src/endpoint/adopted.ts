/** Values that nobody but the store refers to. The store may rewrite and freeze them instead of copying them. */
const adopted: WeakSet<object> = /* @__PURE__ */ new WeakSet()

/** Hands `value` over to the store: the caller must not use it afterwards. */
export function markAdopted(value: object): void {
  adopted.add(value)
}

/** Whether the store may use `value` without a copy. */
export function isAdopted(value: unknown): boolean {
  return adopted.has(value as object)
}
