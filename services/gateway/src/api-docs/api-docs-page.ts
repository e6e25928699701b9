import { markup, type OpenApiDocument } from '@parley/http';

/** The page that Swagger UI fills; without JavaScript it is at least a list of the endpoints. */
export function apiDocsPage({ info, paths }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { summary }]) => ({ method: method.toUpperCase(), path, summary })),
  );
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<main id="api-reference"></main>
<noscript>
<h1>${info.title}</h1>
<p>The API reference needs JavaScript. <a href="openapi.json">openapi.json</a> has everything it shows.</p>
<ul>${operations.map(({ method, path, summary }) => markup`<li><code>${method} ${path}</code> ${summary}</li>\n`)}</ul>
</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`.html;
}
