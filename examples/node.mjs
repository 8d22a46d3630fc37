// node examples/node.mjs, after npm run build: the same server and the library without any framework.
import { Collection, Controller, createResource, Entity } from 'patchcord'
import { listen } from './listen.mjs'
import { createDemoServer } from './server/serve.mjs'

class Issue extends Entity {
  static key = 'Issue'
  id = 0
  title = ''
  status = 'open'

  get label() {
    return `${this.status === 'open' ? '[ ]' : '[x]'} ${this.title}`
  }
}

const VISIBLE = 3
const show = (heading, lines) => console.log(`\n${heading}\n${lines.slice(0, VISIBLE).map(line => `  ${line}`).join('\n')}${lines.length > VISIBLE ? `\n  and ${lines.length - VISIBLE} more` : ''}`)
const labels = issues => issues.map(({ label }) => label)

const server = createDemoServer()
const urlPrefix = `http://127.0.0.1:${await listen(server, 0)}/api`
console.log(`A REST server answers at ${urlPrefix}/issues`)

const IssueResource = createResource({ urlPrefix, path: '/issues/:id', schema: Issue, searchParams: {} }).extend({
  // This server puts a page of the list into an envelope.
  getList: { schema: { results: new Collection([Issue]) } },
})
const controller = new Controller()
controller.subscribePatches(({ patches }) => {
  show(`${patches.length} ${patches.length === 1 ? 'patch' : 'patches'}:`, patches.map(({ op, path, value }) => `${op} ${path.join('/')} ${JSON.stringify(value) ?? ''}`))
})

console.log('\nGET /issues?status=open')
const { results: before } = await controller.fetch(IssueResource.getList, { status: 'open' })
show('The list:', labels(before))

const [, { id }] = before
console.log(`\nPATCH /issues/${id} with { status: 'closed' }`)
await controller.fetch(IssueResource.partialUpdate, { id }, { status: 'closed' })
const after = controller.get(IssueResource.getList.schema.results, { status: 'open' })
show('The same list, read again:', labels(after))
console.log(`\nRows that did not change are the same objects: ${before[0] === after[0] && before[2] === after[2]}`)

console.log('\nPOST /issues')
await controller.fetch(IssueResource.getList.unshift, { title: 'Read the guide', status: 'open' })
show('The list with its new row:', labels(controller.get(IssueResource.getList.schema.results, { status: 'open' })))

controller.dispose()
server.close()
server.closeAllConnections()
console.log('\nDone. The program is examples/node.mjs.')
