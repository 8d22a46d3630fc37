import { useDLE, useSubscription } from 'patchcord/solid'
import { For, onCleanup, onMount, Show, type JSX } from 'solid-js'
import html from 'solid-js/html'
import { troubleOf } from '../tracker/errors.ts'
import { createMeter } from '../tracker/meter.ts'
import { ServiceResource, type Service } from '../tracker/resources.ts'
import { controller } from '../tracker/session.ts'
import { numberOf } from '../tracker/words.ts'
import { follow } from './follow.ts'

/** Ten thousand rows, all of them fetched again every second. The meter tells what that does to the page. */
export function Board(): JSX.Element {
  const meter = createMeter(controller)
  onCleanup(() => meter.stop())
  const reading = follow(meter.reading)
  let rows: HTMLElement | undefined
  onMount(() => meter.watch(rows!))
  return html`
    <main class="board">
      <header>
        <p>Every second all rows are fetched again. Only what differs becomes a patch, and only that is written to the page.</p>
        <dl class="meter">
          <div><dt>Polls</dt><dd data-meter="polls">${() => numberOf(reading().polls)}</dd></div>
          <div><dt>Patches, last poll</dt><dd data-meter="patches">${() => numberOf(reading().patches)}</dd></div>
          <div><dt>DOM mutations, last poll</dt><dd data-meter="mutations">${() => numberOf(reading().mutations)}</dd></div>
          <div><dt>Rows created</dt><dd data-meter="created">${() => numberOf(reading().created)}</dd></div>
        </dl>
      </header>
      <div class="services" tabindex="0" role="list" aria-label="Services" ref=${(element: HTMLElement) => (rows = element)}>
        <${Services} />
      </div>
    </main>
  `
}

/** What is here stays while the server is gone, and the polls find it again. */
function Services(): JSX.Element {
  const services = useDLE(ServiceResource.getList)
  useSubscription(ServiceResource.getList)
  const hasData = (): boolean => services.data !== undefined
  return html`
    <${Show} when=${hasData} fallback=${() => html`<p class="empty">${() => (services.error ? troubleOf(services.error, false) : 'Fetching 10,000 rows…')}</p>`}>
      ${() => html`
        <${Show} when=${() => services.error}>${() => html`<p class="trouble" role="alert">${() => troubleOf(services.error, true)}</p>`}<//>
        <${For} each=${() => services.data}>
          ${(service: Service) => html`
            <div class="service" role="listitem" data-trend=${() => service.trend}><span>${service.name}</span><b>${() => service.load}</b></div>
          `}
        <//>
      `}
    <//>
  `
}
