import { createComponent } from 'solid-js'
import { render } from 'solid-js/web'
import { notifyManager, QueryClient, QueryClientProvider, useQuery } from '@tanstack/solid-query'
import { createList } from './list.mjs'

// Without this it tells its readers after a timeout; what is timed would mostly be that.
notifyManager.setScheduler(work => work())

const queryKey = ['todos']

const solidQuery = (name, reconcile) => ({
  name,
  packages: ['@tanstack/solid-query'],
  load(rows) {
    const client = new QueryClient()
    client.setQueryData(queryKey, rows)
    return client
  },
  mount(client, root) {
    let made
    const unmount = render(
      () =>
        createComponent(QueryClientProvider, {
          client,
          get children() {
            const query = useQuery(() => ({ queryKey, queryFn: () => client.getQueryData(queryKey), staleTime: Infinity, reconcile }))
            made = createList(() => query.data)
            return made.list
          },
        }),
      root,
    )
    const change = update => client.setQueryData(queryKey, rows => rows.map(update))
    return {
      made,
      title: (id, title) => change(row => (row.id === id ? { ...row, title } : row)),
      author: (id, name) => change(row => (row.author.id === id ? { ...row, author: { ...row.author, name } } : row)),
      answer: rows => client.setQueryData(queryKey, rows),
      unmount() {
        unmount()
        client.clear()
      },
    }
  },
})

export const solidQueryDefault = solidQuery('solid-query', undefined)
export const solidQueryReconcile = solidQuery('solid-query reconcile', 'id')
