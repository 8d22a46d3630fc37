/** An object literal without members, made by a function of its own. */
export type Blank = new (never?: unknown) => { [field: string]: unknown }

/**
 * What records of one class begin as. V8 gives `{}` room for four members and puts the rest elsewhere; how much room an
 * object needs it learns for each function that makes some. So each class has one, with the prototype of a literal:
 * nobody can tell the difference, but records take a quarter less and each look at them is one step.
 */
export function nextBlank(): Blank {
  // What is never run says how much to begin with: so many, and eight.
  function Blank(this: { [field: string]: unknown }, never?: unknown): void {
    if (never) this['a'] = this['b'] = this['c'] = never
  }
  Blank.prototype = Object.prototype
  return Blank as unknown as Blank
}
