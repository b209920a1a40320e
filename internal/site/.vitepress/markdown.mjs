import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { address, isPage, title } from './pages.mjs'

/** Adapts the rendering of Markdown, which is written for GitHub. */
export function adapt(md, root, repository) {
  md.core.ruler.push('links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      children?.forEach((token, i) => {
        const href = token.type === 'link_open' && token.attrGet('href')
        if (href && !/^(\w+:|#)/.test(href)) {
          lead(token, children[i + 1], path.dirname(source(env)), href)
        }
      })
    }
  })
  md.core.ruler.push('language', ({ tokens, env, Token }) => {
    if (source(env).endsWith('.zh.md')) {
      tokens.unshift(Object.assign(new Token('html_block', '', 0), { content: '<div lang="zh-CN">' }))
      tokens.push(Object.assign(new Token('html_block', '', 0), { content: '</div>' }))
    }
  })
  keepBraces(md)

  /** Leads a link to a page of the site, or else to the repository. */
  function lead(link, text, folder, href) {
    const [name, anchor] = decodeURI(href).split('#')
    const suffix = anchor ? '#' + anchor : ''
    const file = path.relative(root, path.resolve(folder, name))
    const isFolder = statSync(path.join(root, file)).isDirectory()
    const readme = path.join(file, 'README.md')
    if (isPage(file)) {
      link.attrSet('href', address(file) + suffix)
      // The name of a file says nothing on the site.
      if (text.type === 'text' && text.content === name) {
        text.content = title(root, file)
      }
    } else if (isPage(readme) && existsSync(path.join(root, readme))) {
      link.attrSet('href', address(readme))
    } else {
      link.attrSet('href', `${repository}/${isFolder ? 'tree' : 'blob'}/main/${file}${suffix}`)
    }
  }
}

/** Returns the path of the file that is being rendered. For a search index, VitePress sets path to it; for a page, to its place on the site. */
function source(env) {
  return env.realPath ?? env.path
}

/** Shows {{ as it is written: VitePress compiles pages as templates of Vue, in which it has a meaning. */
function keepBraces(md) {
  for (const name of ['text', 'code_inline']) {
    const rule = md.renderer.rules[name]
    md.renderer.rules[name] = (...args) => rule(...args).replaceAll('{{', '&#123;&#123;')
  }
}
