/**
 * Instances of classes with the fields of records, by functions that are the same, and are many on purpose.
 *
 * V8 learns, for each place in the source, what is made there and which name is written there. A place that always sees
 * one takes 2 ns, a place that sees many takes 10 to 30; and a view consists of instances and their fields. So a class of
 * many rows has a maker of its own, for as long as there are any left, and in it each name a place of its own. Where
 * classes share one, nothing is lost but that. Each place says which is next: alike, a minifier would make one of them.
 */

/** What is known of the names that records of a class have. */
export interface Names {
  readonly key: string
  /** Each at a place of its own; none of them is a member of the class. */
  readonly plain: string[]
  /** Names that belong to the class, and that no payload may put on a view. */
  readonly members: ReadonlySet<string>
  /** Warnings given once. */
  readonly warned: Set<string>
}

/** An instance with the fields of `record`, except those that the class has itself. Meets what `record` inherits, too. */
export type Maker = (entity: new () => object, record: { readonly [field: string]: unknown }, names: Names) => object

const make0: Maker = (entity, record, names) => {
  const made = new entity() as { [field: string]: unknown }
  const { plain } = names
  let at = 0
  for (const field in record) {
    const value = record[field]
    if (at >= plain.length || plain[at] !== field) at = placeOf(field, names)
    switch (at) {
      case 0: made[field] = value; at = 1; break
      case 1: made[field] = value; at = 2; break
      case 2: made[field] = value; at = 3; break
      case 3: made[field] = value; at = 4; break
      case 4: made[field] = value; at = 5; break
      case 5: made[field] = value; at = 6; break
      case 6: made[field] = value; at = 7; break
      case 7: made[field] = value; at = 8; break
      case 8: made[field] = value; at = 9; break
      case 9: made[field] = value; at = 10; break
      case 10: made[field] = value; at = 11; break
      case 11: made[field] = value; at = 12; break
      default: if (at++ >= 0) made[field] = value
    }
  }
  return made
}

const make1: Maker = (entity, record, names) => {
  const made = new entity() as { [field: string]: unknown }
  const { plain } = names
  let at = 0
  for (const field in record) {
    const value = record[field]
    if (at >= plain.length || plain[at] !== field) at = placeOf(field, names)
    switch (at) {
      case 0: made[field] = value; at = 1; break
      case 1: made[field] = value; at = 2; break
      case 2: made[field] = value; at = 3; break
      case 3: made[field] = value; at = 4; break
      case 4: made[field] = value; at = 5; break
      case 5: made[field] = value; at = 6; break
      case 6: made[field] = value; at = 7; break
      case 7: made[field] = value; at = 8; break
      case 8: made[field] = value; at = 9; break
      case 9: made[field] = value; at = 10; break
      case 10: made[field] = value; at = 11; break
      case 11: made[field] = value; at = 12; break
      default: if (at++ >= 0) made[field] = value
    }
  }
  return made
}

const make2: Maker = (entity, record, names) => {
  const made = new entity() as { [field: string]: unknown }
  const { plain } = names
  let at = 0
  for (const field in record) {
    const value = record[field]
    if (at >= plain.length || plain[at] !== field) at = placeOf(field, names)
    switch (at) {
      case 0: made[field] = value; at = 1; break
      case 1: made[field] = value; at = 2; break
      case 2: made[field] = value; at = 3; break
      case 3: made[field] = value; at = 4; break
      case 4: made[field] = value; at = 5; break
      case 5: made[field] = value; at = 6; break
      case 6: made[field] = value; at = 7; break
      case 7: made[field] = value; at = 8; break
      case 8: made[field] = value; at = 9; break
      case 9: made[field] = value; at = 10; break
      case 10: made[field] = value; at = 11; break
      case 11: made[field] = value; at = 12; break
      default: if (at++ >= 0) made[field] = value
    }
  }
  return made
}

const make3: Maker = (entity, record, names) => {
  const made = new entity() as { [field: string]: unknown }
  const { plain } = names
  let at = 0
  for (const field in record) {
    const value = record[field]
    if (at >= plain.length || plain[at] !== field) at = placeOf(field, names)
    switch (at) {
      case 0: made[field] = value; at = 1; break
      case 1: made[field] = value; at = 2; break
      case 2: made[field] = value; at = 3; break
      case 3: made[field] = value; at = 4; break
      case 4: made[field] = value; at = 5; break
      case 5: made[field] = value; at = 6; break
      case 6: made[field] = value; at = 7; break
      case 7: made[field] = value; at = 8; break
      case 8: made[field] = value; at = 9; break
      case 9: made[field] = value; at = 10; break
      case 10: made[field] = value; at = 11; break
      case 11: made[field] = value; at = 12; break
      default: if (at++ >= 0) made[field] = value
    }
  }
  return made
}

const make4: Maker = (entity, record, names) => {
  const made = new entity() as { [field: string]: unknown }
  const { plain } = names
  let at = 0
  for (const field in record) {
    const value = record[field]
    if (at >= plain.length || plain[at] !== field) at = placeOf(field, names)
    switch (at) {
      case 0: made[field] = value; at = 1; break
      case 1: made[field] = value; at = 2; break
      case 2: made[field] = value; at = 3; break
      case 3: made[field] = value; at = 4; break
      case 4: made[field] = value; at = 5; break
      case 5: made[field] = value; at = 6; break
      case 6: made[field] = value; at = 7; break
      case 7: made[field] = value; at = 8; break
      case 8: made[field] = value; at = 9; break
      case 9: made[field] = value; at = 10; break
      case 10: made[field] = value; at = 11; break
      case 11: made[field] = value; at = 12; break
      default: if (at++ >= 0) made[field] = value
    }
  }
  return made
}

const make5: Maker = (entity, record, names) => {
  const made = new entity() as { [field: string]: unknown }
  const { plain } = names
  let at = 0
  for (const field in record) {
    const value = record[field]
    if (at >= plain.length || plain[at] !== field) at = placeOf(field, names)
    switch (at) {
      case 0: made[field] = value; at = 1; break
      case 1: made[field] = value; at = 2; break
      case 2: made[field] = value; at = 3; break
      case 3: made[field] = value; at = 4; break
      case 4: made[field] = value; at = 5; break
      case 5: made[field] = value; at = 6; break
      case 6: made[field] = value; at = 7; break
      case 7: made[field] = value; at = 8; break
      case 8: made[field] = value; at = 9; break
      case 9: made[field] = value; at = 10; break
      case 10: made[field] = value; at = 11; break
      case 11: made[field] = value; at = 12; break
      default: if (at++ >= 0) made[field] = value
    }
  }
  return made
}

export const makers: readonly Maker[] = [make0, make1, make2, make3, make4, make5]

/** So many names are remembered of a class. */
const KNOWN = 64

/** Where a name has its place, if that is not the next; far below zero for one that must not be written. */
function placeOf(field: string, names: Names): number {
  const { members, plain } = names
  for (let place = 0; place < plain.length; place++) if (plain[place] === field) return place
  if (members.has(field)) {
    warnMember(names, field)
    return -KNOWN
  }
  return plain.length < KNOWN ? plain.push(field) - 1 : KNOWN
}

function warnMember({ key, warned }: Names, field: string): void {
  if (warned.has(field)) return
  warned.add(field)
  console.warn(
    `patchcord: a response has the field "${field}", which is a method or accessor of ${key}: views show that. ` +
      'Rename it in process() to see the data.',
  )
}
