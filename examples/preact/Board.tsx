import { useController, useSubscription } from 'patchcord/preact'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { troubleOf } from '../tracker/errors.ts'
import { createMeter } from '../tracker/meter.ts'
import { ServiceResource, type Service } from '../tracker/resources.ts'
import { controller } from '../tracker/session.ts'
import { numberOf } from '../tracker/words.ts'

/** Ten thousand rows, all of them fetched again every second. The meter tells what that does to the page. */
export function Board(): JSX.Element {
  const meter = useMemo(() => createMeter(controller), [])
  const rows = useRef<HTMLDivElement>(null)
  useEffect(() => {
    meter.watch(rows.current!)
    return () => meter.stop()
  }, [])
  return (
    <main class="board">
      <header>
        <p>Every second all rows are fetched again. Only what differs becomes a patch, and only that is written to the page.</p>
        <Figures of={meter} />
      </header>
      <div class="services" tabIndex={0} role="list" aria-label="Services" ref={rows}>
        <Services />
      </div>
    </main>
  )
}

function Figures({ of: { reading } }: { readonly of: ReturnType<typeof createMeter> }): JSX.Element {
  const { polls, patches, mutations, created } = reading.value
  const figure = (name: string, label: string, count: number): JSX.Element => (
    <div>
      <dt>{label}</dt>
      <dd data-meter={name}>{numberOf(count)}</dd>
    </div>
  )
  return (
    <dl class="meter">
      {figure('polls', 'Polls', polls)}
      {figure('patches', 'Patches, last poll', patches)}
      {figure('mutations', 'DOM mutations, last poll', mutations)}
      {figure('created', 'Rows created', created)}
    </dl>
  )
}

/** Live objects: this runs again when rows come or go, and a row when its own fields change. What is here stays while the server is gone. */
function Services(): ComponentChildren {
  const { live, getError } = useController()
  useSubscription(ServiceResource.getList)
  const services = live(ServiceResource.getList)
  const error = getError(ServiceResource.getList)
  if (!services) return <p class="empty">{error ? troubleOf(error, false) : 'Fetching 10,000 rows…'}</p>
  return (
    <>
      {error !== undefined && (
        <p class="trouble" role="alert">
          {troubleOf(error, true)}
        </p>
      )}
      {services.map(service => (
        <Row key={service.id} service={service} />
      ))}
    </>
  )
}

/** The load as text, because Preact writes a number that is 0 again whenever it renders. */
function Row({ service }: { readonly service: Service }): JSX.Element {
  return (
    <div class="service" role="listitem" data-trend={service.trend}>
      <span>{service.name}</span>
      <b>{String(service.load)}</b>
    </div>
  )
}
