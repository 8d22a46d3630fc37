import { schema } from '../../src/index.ts'
import { anyName, anyPk, anyText, anyValue, pkList, put } from './hostile.ts'
import { anyMany, anyOne, nest, species, type Species } from './species.ts'
import type { Tape } from '../support/tape.ts'
import type { Watch } from './watch.ts'

/** What normalize is asked. */
export interface Request {
  readonly schema: unknown
  readonly input: unknown
  readonly args: readonly unknown[]
}

/** One kind of schema, and the responses that a server may send for it. */
export interface Kind {
  readonly name: string
  readonly species: readonly Species[]
  request(tape: Tape): Request
}

const request = (schema: unknown, input: unknown, ...args: unknown[]): Request => ({ schema, input, args })

/** An object with names as keys. */
function byName(tape: Tape, value: () => unknown): object {
  const object = {}
  for (let n = tape.int(4); n > 0; n--) put(object, anyName(tape, ['p', 'q', 'r']), value())
  return object
}

/** The fixed zoo. With a watch, every callback that a user may give is reported. */
export function makeZoo(watch?: Watch): readonly Kind[] {
  return [
    nested(watch), recursive(watch), mutual(watch), union(watch), values(watch), all(watch), listed(watch), owned(watch),
    assigned(watch), indexed(watch), deserialized(watch), merged(watch), versioned(watch), fromParent(watch), dropped(watch),
  ]
}

function nested(watch?: Watch): Kind {
  const user = species('then', ['name', 'mail'], {}, watch)
  const tag = species('Tag', ['label'], {}, watch)
  const post = species('Post', ['title', 'body', 'data'], {}, watch)
  nest(post, 'author', user.entity, (tape, depth) => anyOne(user, tape, depth), { one: user })
  nest(post, 'tags', [tag.entity], (tape, depth) => (tape.chance(50) ? pkList(tape) : anyMany(tag, tape, depth)), { many: tag })
  nest(post, 'meta', { editor: user.entity, rank: '' }, (tape, depth) => ({ editor: anyOne(user, tape, depth), rank: anyValue(tape) }), {
    shape: { editor: user },
  })
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

function recursive(watch?: Watch): Kind {
  const node = species('Node', ['label', 'data'], {}, watch)
  nest(node, 'parent', node.entity, (tape, depth) => anyOne(node, tape, depth), { one: node })
  nest(node, 'children', [node.entity], (tape, depth) => anyMany(node, tape, depth, 3), { many: node })
  return { name: 'recursive', species: [node], request: tape => request(node.entity, anyOne(node, tape, 3)) }
}

function mutual(watch?: Watch): Kind {
  const author = species('hasOwnProperty', ['name'], {}, watch)
  const article = species('Article', ['title', 'data'], {}, watch)
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

function union(watch?: Watch): Kind {
  const text = species('Text', ['title', 'body'], {}, watch)
  const image = species('toJSON', ['title', 'url'], {}, watch)
  const page = species('Page', ['title'], {}, watch)
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

function values(watch?: Watch): Kind {
  const price = species('Price', ['amount', 'data'], {}, watch)
  const wallet = species('Wallet', ['owner'], {}, watch)
  const prices = new schema.Values(price.entity)
  const input = (tape: Tape, depth: number): unknown => byName(tape, () => (tape.chance(10) ? null : anyOne(price, tape, depth)))
  nest(wallet, 'prices', prices, input)
  return {
    name: 'values',
    species: [price, wallet],
    request: tape => (tape.chance(40) ? request(prices, input(tape, 1)) : request(wallet.entity, anyOne(wallet, tape, 2))),
  }
}

function all(watch?: Watch): Kind {
  const item = species('Item', ['label', 'data', 'list'], {}, watch)
  const every = new schema.All(item.entity)
  return { name: 'all', species: [item], request: tape => request(every, anyMany(item, tape, 2, 5)) }
}

/** The arguments of a list, few enough to meet. */
const someArgs = (tape: Tape): { group?: string; orderBy?: string; page?: number } => ({
  ...(tape.chance(50) ? { group: tape.pick(['1', '2', 'constructor']) } : {}),
  ...(tape.chance(30) ? { orderBy: tape.pick(['name', 'toString']) } : {}),
})

function listed(watch?: Watch): Kind {
  const todo = species('Todo', ['title', 'done'], {}, watch)
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

function owned(watch?: Watch): Kind {
  const task = species('Task', ['title', 'done'], {}, watch)
  const project = species('Project', ['name'], {}, watch)
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

function assigned(watch?: Watch): Kind {
  const coin = species(' ', ['amount', 'data'], {}, watch)
  const coins = new schema.Collection(new schema.Values(coin.entity))
  const input = (tape: Tape): unknown => byName(tape, () => anyOne(coin, tape, 1))
  return { name: 'assigned', species: [coin], request: tape => request(tape.pick([coins, coins.assign, coins.remove]), input(tape), someArgs(tape)) }
}

function indexed(watch?: Watch): Kind {
  const member = species('Member', ['username', 'mail', 'data'], { indexes: ['username', 'constructor'] }, watch)
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

function deserialized(watch?: Watch): Kind {
  const event = species('Event', ['title'], {}, watch)
  nest(event, 'at', Date, tape => (tape.chance(30) ? new Date(tape.int(3)) : tape.pick(['1970-01-01T00:00:00.001Z', 'garbage', 0])))
  nest(event, 'price', Big, tape => tape.pick(['1', '2.50', 'NaN', '']))
  nest(event, 'label', (text: string) => `#${text}`, anyText)
  return { name: 'deserialized', species: [event], request: tape => request([event.entity], anyMany(event, tape, 2)) }
}

type Fields = { readonly [field: string]: unknown }

function merged(watch?: Watch): Kind {
  const setting = species('Setting', ['name', 'data'], {
    merge(existing: Fields, incoming: Fields): Fields {
      const lists = [existing['tags'], incoming['tags']].filter(list => Array.isArray(list)) as unknown[][]
      return { ...existing, ...incoming, ...(lists.length > 0 ? { tags: [...new Set(lists.flat())] } : {}) }
    },
  }, watch)
  nest(setting, 'tags', '', tape => tape.some(['a', 'b', 'c', 'then', 1, 2]))
  return { name: 'merged', species: [setting], request: tape => request([setting.entity], anyMany(setting, tape, 2)) }
}

function versioned(watch?: Watch): Kind {
  const order = species('Order', ['title', 'data'], { version: 'rev' }, watch)
  const rated = species('Rated', ['title', 'data'], {
    shouldReorder: (_: unknown, __: unknown, existing: Fields, incoming: Fields) => Number(incoming['rev'] ?? 0) < Number(existing['rev'] ?? 0),
    shouldUpdate: (_: unknown, __: unknown, _existing: Fields, incoming: Fields) => incoming['title'] !== 'constructor',
  }, watch)
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

function fromParent(watch?: Watch): Kind {
  const line = species('Line', ['text', 'data'], {
    pk: (value: Fields, parent: Fields | undefined, key: string, args: readonly unknown[]) =>
      `${String(parent?.['id'] ?? args[0])}/${key}/${String(value['id'])}`,
  }, watch)
  const bill = species('Bill', ['title'], {}, watch)
  nest(bill, 'lines', [line.entity], (tape, depth) => anyMany(line, tape, Math.max(depth, 2), 3))
  return { name: 'fromParent', species: [bill, line], request: tape => request(bill.entity, anyOne(bill, tape, 2), tape.int(3)) }
}

function dropped(watch?: Watch): Kind {
  const item = species('Dropped', ['title', 'data'], {
    process: (input: Fields) => (input['title'] === null ? undefined : { ...input }),
  }, watch)
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
