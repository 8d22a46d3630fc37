const people = [
  ['ada', 'Ada Okafor'],
  ['bo', 'Bo Lindqvist'],
  ['chen', 'Chen Wei'],
  ['dina', 'Dina Haddad'],
  ['emil', 'Emil Novak'],
  ['fay', 'Fay Moreau'],
]
const areas = ['Sign-in', 'Search', 'Export', 'Checkout', 'Settings', 'The invoice page', 'The mobile menu', 'Password reset', 'The import wizard', 'Onboarding']
const troubles = [
  'loses its position after a reload', 'is slow with more than 500 rows', 'shows the wrong time zone', 'forgets the chosen language',
  'needs a keyboard shortcut', 'breaks at 320 pixels', 'sends two e-mails instead of one', 'ignores the dark theme', 'has no empty state',
  'should say what went wrong', 'flickers while it loads', 'is not read out by screen readers',
]
const priorities = ['low', 'normal', 'normal', 'normal', 'high', 'urgent']
const regions = ['eu-west', 'eu-north', 'us-east', 'us-west', 'ap-south', 'sa-east']

const HOUR = 3_600_000

/** Everything the server knows, the same at every start. */
export function createData(rows = 10_000) {
  const random = createRandom(7)
  const pick = list => list[Math.floor(random() * list.length)]
  const issues = new Map()
  const count = areas.length * troubles.length
  for (let id = 1; id <= count; id++) {
    // 7 shares no factor with 120, so that every pair comes up once and neighbours differ.
    const at = (id * 7) % count
    issues.set(id, {
      id,
      title: `${areas[at % areas.length]} ${troubles[Math.floor(at / areas.length)]}`,
      body: 'Seen twice this week. Steps: open the page, wait for it to settle, go back, and look again.',
      status: random() < 0.7 ? 'open' : 'closed',
      priority: pick(priorities),
      assignee: pick(people)[0],
      createdAt: new Date(Date.now() - (count - id) * 5 * HOUR - random() * HOUR).toISOString(),
    })
  }
  const services = Array.from({ length: rows }, (_, i) => ({ id: i + 1, name: `${pick(regions)}/${String(i + 1).padStart(5, '0')}`, load: Math.floor(random() * 100), trend: 'flat' }))
  return { issues, people: new Map(people.map(([id, name]) => [id, { id, name }])), services, random }
}

/** Time passes on the board: some services have more to do, some less. */
export function tick({ services, random }, changes = 50) {
  for (let i = 0; i < changes; i++) {
    const at = Math.floor(random() * services.length)
    const { load } = services[at]
    const next = Math.max(0, Math.min(99, load + Math.floor(random() * 41) - 20))
    services[at] = { ...services[at], load: next, trend: next > load ? 'up' : next < load ? 'down' : 'flat' }
  }
}

/** Chance that repeats itself: a linear congruential generator. */
function createRandom(seed) {
  let state = seed
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32
}
