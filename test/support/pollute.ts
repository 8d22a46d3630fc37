/** Runs `work` while every object inherits `lent`, and then puts things back as they were: the whole process may be polluted. */
export async function polluted(lent: { readonly [name: string]: unknown }, work: () => unknown): Promise<void> {
  const before = Object.keys(lent).map(name => [name, Object.getOwnPropertyDescriptor(Object.prototype, name)] as const)
  for (const [name, value] of Object.entries(lent)) Reflect.defineProperty(Object.prototype, name, { value, enumerable: true, writable: true, configurable: true })
  try {
    await work()
  } finally {
    for (const [name, known] of before) {
      if (known) Reflect.defineProperty(Object.prototype, name, known)
      else Reflect.deleteProperty(Object.prototype, name)
    }
  }
}
