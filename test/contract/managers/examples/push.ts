import type { Manager } from '../../../../src/index.ts'

/** Takes in what a server pushes: `{ entity, data }`, one entity a message. */
export function createPush(url: string, entities: { readonly [name: string]: unknown }): Manager {
  let socket: WebSocket
  return {
    start(controller) {
      socket = new WebSocket(url)
      socket.addEventListener('message', (event) => {
        try {
          const { entity, data } = JSON.parse(String(event.data)) as { entity: string; data: object }
          controller.set(entities[entity], data)
        } catch (error) {
          controller.report(error)
        }
      })
    },
    stop() {
      socket.close()
    },
  }
}
