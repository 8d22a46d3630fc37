import { h } from 'preact'
import { notifyManager, QueryClient, QueryClientProvider, useQuery } from '@tanstack/preact-query'
import { draw } from './list.mjs'

// Without this it tells its readers after a timeout; what is timed would mostly be that.
notifyManager.setScheduler(work => work())

const queryKey = ['todos']

/** Memoised rows; its structural sharing keeps those that are the same. */
export const preactQuery = {
  name: 'preact-query',
  packages: ['@tanstack/preact-query'],
  load(rows) {
    const client = new QueryClient()
    client.setQueryData(queryKey, rows)
    return client
  },
  mount(client, root) {
    const wrap = children => h(QueryClientProvider, { client }, children)
    const page = draw(root, wrap, () => useQuery({ queryKey, queryFn: () => client.getQueryData(queryKey), staleTime: Infinity }).data, 'memo')
    return {
      made: page.made,
      title: (id, title) => client.setQueryData(queryKey, rows => rows.map(row => (row.id === id ? { ...row, title } : row))),
      answer: rows => client.setQueryData(queryKey, rows),
      unmount() {
        page.unmount()
        client.clear()
      },
    }
  },
}
