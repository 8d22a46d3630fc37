import { Entity, type Fields } from '../../../src/index.ts'

/** The default of a required field: it is truthy. */
export const NEEDED: object = {}

/** A row of a graph: it cannot do without what it `needs`, may like another one, and lists others. Some names are refused. */
export class Node extends Entity {
  id = ''
  name = ''
  needs: Node | object | undefined | null = NEEDED
  likes: Node | undefined | null = undefined
  all: Node[] = []
  box: { node?: Node } | undefined = undefined
  static override key = 'Node'
  static override schema: Fields = {}
  static override validate(record: Fields): string | undefined {
    return record['name'] === 'bad' ? 'bad' : undefined
  }
}
Node.schema = { needs: Node, likes: Node, all: [Node], box: { node: Node } }

/** The same rows, by a class that looks at what it needs last. */
export class NeedsLast extends Node {
  static override schema: Fields = {}
}
NeedsLast.schema = { box: { node: NeedsLast }, all: [NeedsLast], likes: NeedsLast, needs: NeedsLast }
