import DefaultTheme from 'vitepress/theme'
import DemoFrame from './DemoFrame.vue'
import Example from './Example.vue'
import './style.css'

const theme = {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('DemoFrame', DemoFrame)
    app.component('Example', Example)
  },
}

export { theme as default }
