import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The Markdown files that are not pages of the site. */
export const others = ['{api,bin,certs,cmd,conversion,deploy,e2e,internal,validation,webhook,.github}/**']

/** Reports whether a file of the repository is a page. */
export function isPage(file) {
  return /^(docs\/[^/]+|examples\/.*README|README\.zh|[A-Z_]+)\.md$/.test(file)
}

/** Returns where a page is on the site: a README is the index of its folder, or of a folder for its language. */
export function place(file) {
  return file.replace(/README\.md$/, 'index.md').replace(/README\.zh\.md$/, 'zh/index.md')
}

/** Returns the address of a page on the site. */
export function address(file) {
  return '/' + place(file).replace(/(?<=^|\/)index\.md$|\.md$/, '')
}

/** Returns the first heading of a page. */
export function title(root, file) {
  return /^# (.*)/m.exec(readFileSync(path.join(root, file), 'utf8'))[1]
}

/** Makes the navigation from the tables of docs/README.md, which list every page by its purpose. */
export function sidebar(root) {
  const groups = []
  for (const line of readFileSync(path.join(root, 'docs/README.md'), 'utf8').split('\n')) {
    const heading = /^## (.*)/.exec(line)
    if (heading) {
      groups.push({ text: heading[1], items: [] })
    }
    const cell = /^\| (\[.*?\) )\|/.exec(line)
    for (const [, link] of cell?.[1].matchAll(/\]\((.*?)\)/g) ?? []) {
      for (const file of inside(root, path.join('docs', link))) {
        groups.at(-1).items.push({ text: title(root, file), link: address(file) })
      }
    }
  }
  return groups
}

/** Returns a page, or for a folder the pages of its subfolders. */
function inside(root, file) {
  if (file.endsWith('.md')) {
    return [file]
  }
  const pages = readdirSync(path.join(root, file)).map((name) => path.join(file, name, 'README.md'))
  return pages.filter((page) => existsSync(path.join(root, page)))
}
