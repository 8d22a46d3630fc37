import { Entity, schema as schemas } from '../../src/index.ts'
import { anyName, anyPk, anyText, anyValue, pkList, put, removable } from './hostile.ts'
import { anyMany, anyOne, nest, species, type Species } from './species.ts'
import type { Tape } from '../support/tape.ts'
import type { Watch } from './watch.ts'

/** What normalize is asked. */
export interface Request { readonly schema: unknown; readonly input: unknown; readonly args: readonly unknown[] }

/** One kind of schema, and the responses that a server may send for it. */
export interface Kind {
  readonly name: string
  readonly species: readonly Species[]
  request(tape: Tape): Request
  /** Some rows of one species are gone. */
  removal(tape: Tape): Request
}

type Requests = Omit<Kind, 'removal'>

type Fields = { readonly [field: string]: unknown }

/** What of the library the zoo is made from. */
export interface Library {
  readonly Entity: typeof Entity
  readonly schema: typeof schemas
}

const request = (schema: unknown, input: unknown, ...args: unknown[]): Request => ({ schema, input, args })

/** An object with names as keys. */
function byName(tape: Tape, value: () => unknown): object {
  const object = {}
  for (let n = tape.int(4); n > 0; n--) put(object, anyName(tape, ['p', 'q', 'r']), value())
  return object
}

/** The arguments of a list, few enough to meet. */
const someArgs = (tape: Tape): { group?: string; orderBy?: string; page?: number } => ({
  ...(tape.chance(50) ? { group: tape.pick(['1', '2', 'constructor']) } : {}),
  ...(tape.chance(30) ? { orderBy: tape.pick(['name', 'toString']) } : {}),
})

/** Stands for the number classes of the world: a prototype with members, made with `new`. */
class Big {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  plus(other: Big): Big {
    return new Big(this.text + other.text)
  }
}

/** Adds what removes rows. A removal remembers the class that it is about. */
export function withRemovals(kind: Requests, { Invalidate }: Pick<Library['schema'], 'Invalidate'>): Kind {
  const removal = (tape: Tape): Request => {
    const { entity } = tape.pick(kind.species)
    return request(Object.assign(new Invalidate(entity), { about: entity }), pkList(tape).map(removable))
  }
  return { ...kind, removal }
}

/** The fixed zoo, from this library or another one. With a watch, every callback that a user may give is reported. */
export function makeZoo(watch?: Watch, { Entity: Base, schema }: Library = { Entity, schema: schemas }): readonly Kind[] {
  const make = (key: string, scalars: readonly string[], statics = {}): Species => species(key, scalars, statics, watch, Base)
  const kinds = [nested, recursive, mutual, union, values, all, listed, owned, assigned, indexed, deserialized, merged, versioned, fromParent, dropped]
  return kinds.map(kind => withRemovals(kind(), schema))

  function nested(): Requests {
    const user = make('then', ['name', 'mail'])
    const tag = make('Tag', ['label'])
    const post = make('Post', ['title', 'body', 'data'])
    nest(post, 'author', user.entity, (tape, depth) => anyOne(user, tape, depth), { one: user })
    nest(post, 'tags', [tag.entity], (tape, depth) => (tape.chance(50) ? pkList(tape) : anyMany(tag, tape, depth)), { many: tag })
    nest(post, 'meta', { editor: user.entity, rank: '' }, (tape, depth) => ({ editor: anyOne(user, tape, depth), rank: anyValue(tape) }), { shape: { editor: user } })
    nest(post, 'likes', new schema.Lazy([user.entity]), (tape, depth) => anyMany(user, tape, depth), { many: user })
    return {
      name: 'nested',
      species: [post, user, tag],
      request(tape) {
        const shape = tape.int(3)
        if (shape === 0) return request(post.entity, anyOne(post, tape, 2))
        if (shape === 1) return request([post.entity], anyMany(post, tape, 2, 3))
        return request({ results: [post.entity], total: '' }, { results: anyMany(post, tape, 2, 3), total: tape.int(3) })
      },
    }
  }

  function recursive(): Requests {
    const node = make('Node', ['label', 'data'])
    nest(node, 'parent', node.entity, (tape, depth) => anyOne(node, tape, depth), { one: node })
    nest(node, 'children', [node.entity], (tape, depth) => anyMany(node, tape, depth, 3), { many: node })
    return { name: 'recursive', species: [node], request: tape => request(node.entity, anyOne(node, tape, 3)) }
  }

  function mutual(): Requests {
    const author = make('hasOwnProperty', ['name'])
    const article = make('Article', ['title', 'data'])
    nest(author, 'articles', new schema.Array(article.entity), (tape, depth) => anyMany(article, tape, depth, 3), { many: article })
    nest(article, 'author', author.entity, (tape, depth) => anyOne(author, tape, depth), { one: author })
    return {
      name: 'mutual',
      species: [author, article],
      request(tape) {
        const input = anyOne(author, tape, 3) as { articles?: unknown }
        // A loop of objects, which JSON could not send and an optimistic update could.
        if (tape.chance(20)) put(input, 'articles', [{ id: anyPk(tape), author: input }])
        return request(author.entity, input)
      },
    }
  }

  function union(): Requests {
    const text = make('Text', ['title', 'body'])
    const image = make('toJSON', ['title', 'url'])
    const page = make('Page', ['title'])
    const one = (tape: Tape, depth: number): unknown => {
      const input = anyOne(tape.chance(50) ? image : text, tape, Math.max(depth, 2))
      put(input as object, 'type', tape.chance(20) ? anyName(tape, ['none']) : tape.pick(['text', 'image']))
      return input
    }
    const types = { text: text.entity, image: image.entity }
    const either = new schema.Union(types, 'type')
    const tagged = new schema.Array(types, (value: { type?: string }) => {
      watch?.call('schemaAttribute')
      return value.type
    })
    nest(page, 'pinned', either, one)
    nest(page, 'feed', tagged, (tape, depth) => Array.from({ length: tape.int(4) }, () => one(tape, depth)))
    return {
      name: 'union',
      species: [text, image, page],
      request: tape =>
        tape.chance(50) ? request([either], Array.from({ length: tape.int(4) }, () => one(tape, 1))) : request(page.entity, anyOne(page, tape, 2)),
    }
  }

  function values(): Requests {
    const price = make('Price', ['amount', 'data'])
    const wallet = make('Wallet', ['owner'])
    const prices = new schema.Values(price.entity)
    const input = (tape: Tape, depth: number): unknown => byName(tape, () => (tape.chance(10) ? null : anyOne(price, tape, depth)))
    nest(wallet, 'prices', prices, input)
    return {
      name: 'values',
      species: [price, wallet],
      request: tape => (tape.chance(40) ? request(prices, input(tape, 1)) : request(wallet.entity, anyOne(wallet, tape, 2))),
    }
  }

  function all(): Requests {
    const item = make('Item', ['label', 'data', 'list'])
    const every = new schema.All(item.entity)
    return { name: 'all', species: [item], request: tape => request(every, anyMany(item, tape, 2, 5)) }
  }

  function listed(): Requests {
    const todo = make('Todo', ['title', 'done'])
    const list = new schema.Collection([todo.entity], {
      argsKey: (args?: { group?: string; orderBy?: string }) => {
        watch?.call('argsKey')
        return { group: args?.group, orderBy: args?.orderBy }
      },
      createCollectionFilter: (params: unknown) => key => {
        watch?.call('createCollectionFilter')
        return key['group'] === undefined || key['group'] === (params as { group?: string } | undefined)?.group
      },
    })
    const sorted = list.addWith((members: readonly string[], added: readonly string[]) => {
      watch?.call('addWith')
      return [...members, ...added].sort()
    })
    const changes = [list.push, list.unshift, list.remove, list.move, list.paginate, sorted]
    const withGroup = (tape: Tape): unknown => {
      const input = anyOne(todo, tape, 2)
      put(input as object, 'group', tape.pick(['1', '2', 'constructor']))
      return input
    }
    return {
      name: 'listed',
      species: [todo],
      request(tape) {
        if (tape.chance(40)) return request(tape.pick(changes), tape.chance(50) ? withGroup(tape) : [withGroup(tape), withGroup(tape)], someArgs(tape))
        return request(list, tape.chance(60) ? pkList(tape) : Array.from({ length: tape.int(5) }, () => withGroup(tape)), someArgs(tape))
      },
    }
  }

  function owned(): Requests {
    const task = make('Task', ['title', 'done'])
    const project = make('Project', ['name'])
    const tasks = new schema.Collection([task.entity])
    const named = new schema.Collection([task.entity], {
      nestKey: (parent: { id: unknown }) => {
        watch?.call('nestKey')
        return { project: parent.id }
      },
    })
    const members = (tape: Tape, depth: number): unknown => (tape.chance(50) ? pkList(tape) : anyMany(task, tape, depth))
    nest(project, 'tasks', tasks, members)
    nest(project, 'named', named, members)
    return {
      name: 'owned',
      species: [project, task],
      request: tape =>
        tape.chance(25)
          ? request(tape.pick([named.push, named.unshift, named.remove]), anyOne(task, tape, 2), { project: tape.pick(['1', '2', 'constructor']) })
          : request([project.entity], anyMany(project, tape, 2, 2)),
    }
  }

  function assigned(): Requests {
    const coin = make(' ', ['amount', 'data'])
    const coins = new schema.Collection(new schema.Values(coin.entity))
    const input = (tape: Tape): unknown => byName(tape, () => anyOne(coin, tape, 1))
    return { name: 'assigned', species: [coin], request: tape => request(tape.pick([coins, coins.assign, coins.remove]), input(tape), someArgs(tape)) }
  }

  function indexed(): Requests {
    const member = make('Member', ['username', 'mail', 'data'], { indexes: ['username', 'constructor'] })
    return {
      name: 'indexed',
      species: [member],
      request(tape) {
        const input = anyMany(member, tape, 2, 4)
        for (const one of input) {
          if (tape.chance(70)) put(one as object, 'username', anyText(tape))
          if (tape.chance(20)) put(one as object, 'constructor', tape.pick(['a', 'toString', 1, '1', null]))
        }
        return request([member.entity], input)
      },
    }
  }

  function deserialized(): Requests {
    const event = make('Event', ['title'])
    nest(event, 'at', Date, tape => (tape.chance(30) ? new Date(tape.int(3)) : tape.pick(['1970-01-01T00:00:00.001Z', 'garbage', 0])))
    nest(event, 'price', Big, tape => tape.pick(['1', '2.50', 'NaN', '']))
    nest(event, 'label', (text: string) => `#${text}`, anyText)
    return { name: 'deserialized', species: [event], request: tape => request([event.entity], anyMany(event, tape, 2)) }
  }

  function merged(): Requests {
    const setting = make('Setting', ['name', 'data'], {
      merge(existing: Fields, incoming: Fields): Fields {
        const lists = [existing['tags'], incoming['tags']].filter(list => Array.isArray(list)) as unknown[][]
        return { ...existing, ...incoming, ...(lists.length > 0 ? { tags: [...new Set(lists.flat())] } : {}) }
      },
    })
    nest(setting, 'tags', '', tape => tape.some(['a', 'b', 'c', 'then', 1, 2]))
    return { name: 'merged', species: [setting], request: tape => request([setting.entity], anyMany(setting, tape, 2)) }
  }

  function versioned(): Requests {
    const order = make('Order', ['title', 'data'], { version: 'rev' })
    const rated = make('Rated', ['title', 'data'], {
      shouldReorder: (_: unknown, __: unknown, existing: Fields, incoming: Fields) => Number(incoming['rev'] ?? 0) < Number(existing['rev'] ?? 0),
      shouldUpdate: (_: unknown, __: unknown, _existing: Fields, incoming: Fields) => incoming['title'] !== 'constructor',
    })
    nest(order, 'rev', '', tape => tape.int(4))
    nest(rated, 'rev', '', tape => tape.int(4))
    return {
      name: 'versioned',
      species: [order, rated],
      request: tape => {
        const one = tape.chance(50) ? order : rated
        return request([one.entity], anyMany(one, tape, 2))
      },
    }
  }

  function fromParent(): Requests {
    const line = make('Line', ['text', 'data'], {
      pk: (value: Fields, parent: Fields | undefined, key: string, args: readonly unknown[]) =>
        `${String(parent?.['id'] ?? args[0])}/${key}/${String(value['id'])}`,
    })
    const bill = make('Bill', ['title'])
    nest(bill, 'lines', [line.entity], (tape, depth) => anyMany(line, tape, Math.max(depth, 2), 3))
    return { name: 'fromParent', species: [bill, line], request: tape => request(bill.entity, anyOne(bill, tape, 2), tape.int(3)) }
  }

  function dropped(): Requests {
    const item = make('Dropped', ['title', 'data'], { process: (input: Fields) => (input['title'] === null ? undefined : { ...input }) })
    const gone = new schema.Invalidate(item.entity)
    /** Some of what comes is reported to be gone first. */
    const again = (tape: Tape): unknown[] => {
      const input = anyMany(item, tape, 2)
      return [...input.filter(() => tape.chance(30)).map(one => ({ id: (one as Fields)['id'], title: null })), ...input]
    }
    return {
      name: 'dropped',
      species: [item],
      request: tape =>
        tape.chance(60)
          ? request([item.entity], again(tape))
          : request({ present: [item.entity], gone }, { present: anyMany(item, tape, 2, 2), gone: anyMany(item, tape, 1, 2) }),
    }
  }
}
