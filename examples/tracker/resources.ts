import { Collection, createResource, Entity, Query } from 'patchcord'

export type Status = 'open' | 'closed'
export type Priority = 'urgent' | 'high' | 'normal' | 'low'
export type Order = 'newest' | 'oldest' | 'priority'

export const priorities: readonly Priority[] = ['urgent', 'high', 'normal', 'low']

export class Person extends Entity {
  static override key = 'Person'
  id = ''
  name = ''
}

export class Issue extends Entity {
  static override key = 'Issue'
  static override schema = { assignee: Person, createdAt: Date }
  /** A number from the server; text while the issue is new and the server has not answered. */
  id: number | string = 0
  title = ''
  body = ''
  status: Status = 'open'
  priority: Priority = 'normal'
  assignee: Person | null = null
  createdAt = new Date(0)

  get isSaved(): boolean {
    return typeof this.id === 'number'
  }
}

/** What a list shows, and in which order. */
export interface Filters {
  status?: Status
  assignee?: string
  search?: string
  orderBy?: Order
}

/** The server's filters once more, so that issues enter and leave the lists on screen before it has answered. */
const belongsTo = ({ status, assignee, search }: Filters, values: { status?: Status; assignee?: string | Person | null; title?: string }): boolean =>
  (!status || values.status === status) &&
  // The stream has the person, a form only the id.
  (!assignee || (typeof values.assignee === 'object' ? values.assignee?.id : values.assignee) === assignee) &&
  (!search || (values.title ?? '').toLowerCase().includes(search.toLowerCase()))

const issues = new Collection([Issue], {
  createCollectionFilter: (params, body) => list => belongsTo(list, { ...(params as object), ...(body as object) }),
})

export const IssueResource = createResource({
  path: '/api/issues/:id',
  schema: Issue,
  optimistic: true,
  searchParams: {} as Filters,
  paginationField: 'cursor',
  body: {} as Partial<Pick<Issue, 'title' | 'body' | 'status' | 'priority'>> & { assignee?: string | null; createdAt?: string },
}).extend({
  getList: { schema: { results: issues, cursor: '' } },
})

/** What is loaded of a list, in its order: also what the server does not know yet. */
export const sortedIssues = new Query(issues, (loaded: Issue[], { orderBy = 'newest' }: Filters) => [...loaded].sort(orders[orderBy]))

const orders: Record<Order, (a: Issue, b: Issue) => number> = {
  newest: (a, b) => Number(b.createdAt) - Number(a.createdAt),
  oldest: (a, b) => Number(a.createdAt) - Number(b.createdAt),
  priority: (a, b) => priorities.indexOf(a.priority) - priorities.indexOf(b.priority) || orders.newest(a, b),
}

export const PersonResource = createResource({ path: '/api/people/:id', schema: Person, optimistic: true, body: {} as Partial<Person> })

/** A row of the live board. */
export class Service extends Entity {
  static override key = 'Service'
  id = 0
  name = ''
  load = 0
  trend: 'up' | 'down' | 'flat' = 'flat'
}

/** All of them, again every second. What has not changed costs nothing past this point. */
export const ServiceResource = createResource({ path: '/api/board/:id', schema: Service, pollFrequency: 1000, dataExpiryLength: 1000 })
