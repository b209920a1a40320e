// Tests the built site in a real browser. make site-test runs it.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'
import { serve } from 'vitepress'

const html = path.join(import.meta.dirname, 'html')
const port = 4173
const origin = `http://127.0.0.1:${port}`

/** Returns the addresses of all pages. */
function addresses() {
  const files = readdirSync(html, { recursive: true }).filter((file) => file.endsWith('.html') && file !== '404.html')
  return files.map((file) => '/' + file.replace(/(^|(?<=\/))index\.html$|\.html$/, '')).sort()
}

let server, browser

before(async () => {
  server = await serve({ root: import.meta.dirname, port, host: '127.0.0.1' })
  browser = await chromium.launch({ executablePath: executable(), args: ['--no-sandbox'] })
})

after(async () => {
  await browser?.close()
  server?.server.close()
})

/** Returns the path of the browser. */
function executable() {
  if (process.env.CHROMIUM) {
    return process.env.CHROMIUM
  }
  for (const name of ['chromium', 'google-chrome', 'chrome']) {
    const found = spawnSync('which', [name], { encoding: 'utf8' })
    if (found.status === 0) {
      return found.stdout.trim()
    }
  }
  throw new Error('no browser found: install Chromium, or set CHROMIUM to the path of a browser')
}

const sizes = { phone: { width: 360, height: 740 }, tablet: { width: 820, height: 1100 }, desktop: { width: 1440, height: 900 } }

/** Opens pages, and fails if a page reports an error or loads anything that the site does not have. */
async function open(options, use) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const problems = []
  page.on('console', (message) => message.type() === 'error' && problems.push(`${page.url()}: ${message.text()}`))
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error}`))
  page.on('request', (request) => request.url().startsWith(origin) || request.url().startsWith('data:') || problems.push(`${page.url()} loads ${request.url()}`))
  page.on('response', (response) => response.status() >= 400 && problems.push(`${page.url()}: ${response.url()}: ${response.status()}`))
  try {
    await use(page)
  } finally {
    await context.close()
  }
  assert.deepEqual(problems, [])
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`every page fits on a ${size}`, { timeout: 300_000 }, () =>
    open({ viewport }, async (page) => {
      for (const address of addresses()) {
        await page.goto(origin + address)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
        assert.ok(wide <= 0, `${address} is ${wide} pixels wider than the window`)
        assert.equal(await page.locator('h1').count(), 1, `${address} has one title`)
      }
    }))
}

test('every link leads to a page, and to a heading of it', { timeout: 300_000 }, () =>
  open({}, async (page) => {
    const anchors = new Map()
    const links = []
    for (const address of addresses()) {
      await page.goto(origin + address)
      anchors.set(address, new Set(await page.evaluate(() => [...document.querySelectorAll('[id]')].map((e) => e.id))))
      const all = await page.evaluate(() => [...document.querySelectorAll('a[href]')].map((a) => a.href))
      links.push(...all.filter((href) => href.startsWith(origin)).map((href) => [address, new URL(href)]))
    }
    assert.ok(links.length > 1000, `only ${links.length} links`)
    for (const [from, { pathname, hash }] of links) {
      assert.ok(anchors.has(pathname), `${from} has a link to ${pathname}`)
      assert.ok(!hash || anchors.get(pathname).has(decodeURIComponent(hash.slice(1))), `${from} has a link to ${pathname}${hash}`)
    }
  }))

for (const colorScheme of ['light', 'dark']) {
  test(`text has enough contrast in ${colorScheme} mode`, { timeout: 120_000 }, () =>
    open({ colorScheme, viewport: sizes.desktop }, async (page) => {
      for (const address of ['/', '/docs/crosswalk', '/docs/tutorial', '/docs/', '/zh/']) {
        await page.goto(origin + address)
        assert.equal(await page.evaluate(() => document.documentElement.classList.contains('dark')), colorScheme === 'dark')
        const low = await page.evaluate(lowContrast)
        assert.deepEqual(low, [], address)
      }
    }))
}

/** Returns the texts of a page whose contrast is less than 4.5, the minimum of WCAG 2.2 AA. */
function lowContrast() {
  const color = (text) => text.match(/[\d.]+/g).map(Number)
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => ((c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((c, i) => c * a + below[i] * (1 - a))
  const behind = (element) => {
    if (!element) return [255, 255, 255]
    return over(color(getComputedStyle(element).backgroundColor), behind(element.parentElement))
  }
  const low = new Set()
  for (const element of document.querySelectorAll('.vp-doc :is(p, li, td, th, a, code, span, h1, h2, h3), .VPSidebar a, .VPSidebar h2, .VPNav a')) {
    if (![...element.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim()) || !element.checkVisibility({ opacityProperty: true })) continue
    const below = behind(element)
    const [a, b] = [luminance(over(color(getComputedStyle(element).color), below)), luminance(below)]
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    if (contrast < 4.5) low.add(`${element.tagName} ${element.className} ${contrast.toFixed(1)}: ${element.textContent.trim().slice(0, 40)}`)
  }
  return [...low]
}

test('the picture of a request is visible in both modes', { timeout: 60_000 }, async () => {
  for (const colorScheme of ['light', 'dark']) {
    await open({ colorScheme, viewport: sizes.desktop }, async (page) => {
      await page.goto(origin)
      const picture = page.locator('.vp-doc img').first()
      await picture.evaluate((img) => img.decode())
      assert.ok((await picture.boundingBox()).width > 300)
    })
  }
})

for (const [size, viewport] of Object.entries(sizes)) {
  test(`search finds a page on a ${size}`, { timeout: 60_000 }, () =>
    open({ viewport }, async (page) => {
      await page.goto(origin)
      await page.locator('.DocSearch-Button').click()
      await page.locator('.search-input').fill('storedVersions')
      const results = page.locator('.VPLocalSearchBox .result')
      await results.first().waitFor()
      const { pathname } = new URL(await results.first().getAttribute('href'), origin)
      await results.first().click()
      await page.waitForURL((url) => url.pathname === pathname)
      await page.locator('.vp-doc').getByText('storedVersions').first().waitFor()
    }))
}

test('the menu of a phone leads to every group of pages', { timeout: 60_000 }, () =>
  open({ viewport: sizes.phone }, async (page) => {
    await page.goto(origin + '/docs/tutorial')
    await page.locator('.VPLocalNav .menu').click()
    const groups = page.locator('.VPSidebar .level-0 > .item .text')
    await groups.first().waitFor()
    assert.deepEqual(await groups.allInnerTexts(), ['Learn', 'Do', 'Look up', 'Understand'])
    await page.locator('.VPSidebar a[href="/docs/glossary"]').click()
    await page.waitForURL(origin + '/docs/glossary')
  }))

test('the Chinese and the English start page lead to each other', { timeout: 60_000 }, () =>
  open({ viewport: sizes.desktop }, async (page) => {
    await page.goto(origin)
    await page.locator('.vp-doc').getByText('简体中文').click()
    await page.waitForURL(origin + '/zh/')
    await page.locator('h1:lang(zh-CN)').waitFor()
    await page.locator('.vp-doc').getByText('English').click()
    await page.waitForURL(origin + '/')
    await page.locator('h1:lang(en)').waitFor()
  }))
