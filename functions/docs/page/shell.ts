// The HTML around the body of every page.
import { type Html, html } from './html.ts'

interface Head {
  readonly title: string
  /** For search engines. */
  readonly about?: string
  /** Address of the style sheet. */
  readonly style: string
  /** The elements that load the page's scripts. */
  readonly scripts?: Html
}

export function pageOf({ title, about, style, scripts }: Head, body: Html): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>${
    about !== undefined &&
    html`
<meta name="description" content="${about}">`
  }
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">${scripts}
</head>
<body>${body}
</body>
</html>
`
  return page.html
}
