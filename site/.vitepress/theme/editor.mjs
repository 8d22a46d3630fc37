import { javascript } from '@codemirror/lang-javascript'
import { Compartment, Prec } from '@codemirror/state'
import { oneDark } from '@codemirror/theme-one-dark'
import { keymap } from '@codemirror/view'
import { EditorView, minimalSetup } from 'codemirror'

/** An editor for TypeScript with JSX. Ctrl+Enter runs; Tab leaves, as everywhere on a page. */
export function createEditor({ isDark, onChange, onRun, parent, text }) {
  const theme = new Compartment()
  const themeOf = (dark) => (dark ? oneDark : [])
  const view = new EditorView({
    doc: text,
    parent,
    extensions: [
      Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (onRun(), true) }])),
      minimalSetup,
      javascript({ typescript: true, jsx: true }),
      theme.of(themeOf(isDark)),
      EditorView.contentAttributes.of({ 'aria-label': 'The code of the example' }),
      EditorView.updateListener.of((update) => update.docChanged && onChange(update.state.doc.toString())),
    ],
  })
  return {
    focus: () => view.focus(),
    destroy: () => view.destroy(),
    setDark: (dark) => view.dispatch({ effects: theme.reconfigure(themeOf(dark)) }),
  }
}
