import { createComponent, ErrorBoundary, Suspense } from 'solid-js'
import { render } from 'solid-js/web'
import { DataProvider } from 'patchcord/solid'

/** Mounts a component below a provider and the boundaries that the guide speaks of. Gives the function that unmounts it. */
export function mountSolid(controller, Example, page) {
  const body = () =>
    createComponent(Suspense, {
      fallback: '…',
      get children() {
        return createComponent(Example, {})
      },
    })
  const provided = () =>
    createComponent(DataProvider, {
      ...(controller ? { controller } : {}),
      get children() {
        return body()
      },
    })
  return render(() => createComponent(ErrorBoundary, { fallback: (error) => `error: ${error.message}`, get children() { return provided() } }), page)
}
