/** Issues in a hash of Redis. A change and its message are one step: either both are there, or none is. */
export function createRedisIssues(client, { key = 'issues', stream = 'stream', limit = 10_000 } = {}) {
  const run = async (script, ...args) => {
    const found = await client.eval(script, { keys: [key, stream], arguments: [String(limit), ...args] })
    return found === null ? undefined : JSON.parse(found)
  }
  return {
    all: async () => Object.values(await client.hGetAll(key)).map(text => JSON.parse(text)).sort((a, b) => a.id - b.id),
    get: async id => JSON.parse((await client.hGet(key, id)) ?? 'null') ?? undefined,
    create: fields => run(CREATE, JSON.stringify({ title: '', status: 'open', ...fields })),
    change: (id, fields) => run(CHANGE, id, JSON.stringify(fields)),
    remove: id => run(REMOVE, id),
  }
}

const ADD = message => `redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[1], '*', 'message', cjson.encode(${message}))`
const WRITE = `
  redis.call('HSET', KEYS[1], issue.id, cjson.encode(issue))
  ${ADD(`{ type = 'upsert', entity = 'Issue', value = issue }`)}
  return cjson.encode(issue)`

const CREATE = `
  local issue = cjson.decode(ARGV[2])
  issue.id = tostring(redis.call('INCR', KEYS[1] .. ':last'))
  issue.version = 1
  ${WRITE}`

const CHANGE = `
  local found = redis.call('HGET', KEYS[1], ARGV[2])
  if not found then return nil end
  local issue = cjson.decode(found)
  for name, value in pairs(cjson.decode(ARGV[3])) do issue[name] = value end
  issue.id = ARGV[2]
  issue.version = cjson.decode(found).version + 1
  ${WRITE}`

const REMOVE = `
  if redis.call('HDEL', KEYS[1], ARGV[2]) == 1 then ${ADD(`{ type = 'remove', entity = 'Issue', pk = ARGV[2] }`)} end
  return nil`
