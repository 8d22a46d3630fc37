/** Issues in this process. Every change is a message of the stream. */
export function createMemoryIssues(stream) {
  const issues = new Map()
  const write = async issue => {
    issues.set(issue.id, issue)
    await stream.add({ type: 'upsert', entity: 'Issue', value: issue })
    return issue
  }
  return {
    all: async () => [...issues.values()],
    get: async id => issues.get(id),
    create: fields => write({ title: '', status: 'open', ...fields, id: String(issues.size + 1), version: 1 }),
    change: async (id, fields) => {
      const issue = issues.get(id)
      return issue && write({ ...issue, ...fields, id, version: issue.version + 1 })
    },
    async remove(id) {
      if (issues.delete(id)) await stream.add({ type: 'remove', entity: 'Issue', pk: id })
    },
  }
}
