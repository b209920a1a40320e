import path from 'node:path'
import { defineConfig } from 'vitepress'
import { adapt } from './markdown.mjs'
import { others, place, sidebar } from './pages.mjs'

// make site copies this folder to bin/site, which is as deep in the repository.
const folder = path.resolve(import.meta.dirname, '..')
const root = path.resolve(folder, '../..')
const repository = 'https://github.com/crosswalk-dev/crosswalk'

export default defineConfig({
  title: 'Crosswalk',
  description: 'Converts Kubernetes custom resources between their versions, and validates writes to them.',
  srcDir: root,
  outDir: path.join(folder, 'html'),
  cacheDir: path.join(folder, 'cache'),
  srcExclude: others,
  rewrites: place,
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: icon() }]],
  markdown: {
    config: (md) => adapt(md, root, repository),
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { console: 'shellsession' },
    anchor: { slugify: anchor },
  },
  // The pages are not below the modules that their scripts import.
  vite: { resolve: { alias: { vue: path.join(folder, 'node_modules/vue') } } },
  themeConfig: {
    nav: [
      { text: 'Tutorial', link: '/docs/tutorial' },
      { text: 'Documentation', link: '/docs/' },
      { text: 'Changes', link: '/CHANGELOG' },
      { text: '简体中文', link: '/zh/' },
    ],
    sidebar: sidebar(root),
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: repository + '/edit/main/:path', text: 'Edit this page' },
  },
})

/** Returns the anchor of a heading, in the same form as on GitHub, for which the links are written. */
function anchor(heading) {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-')
}

/** Returns the icon of the site, the stripes of a crosswalk. */
function icon() {
  const stripes = '<path stroke="#fff" stroke-width="2" d="M4 3v10M8 3v10M12 3v10"/>'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1f4fbf"/>${stripes}</svg>`
  return 'data:image/svg+xml,' + encodeURIComponent(svg)
}
