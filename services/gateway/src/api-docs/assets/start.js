/* global SwaggerUIBundle */
// The console calls the host this page was loaded from, whatever name it has in the document.
fetch('openapi.json')
  .then((response) => response.json())
  .then((description) => {
    const server = new URL('.', globalThis.document.baseURI).href.replace(/\/$/, '');
    SwaggerUIBundle({
      spec: { ...description, servers: [{ url: server }] },
      domNode: globalThis.document.getElementById('api-reference'),
      deepLinking: true,
      displayRequestDuration: true,
      docExpansion: 'none',
      filter: true,
      validatorUrl: null,
    });
  })
  .catch((error) => {
    globalThis.document.getElementById('api-reference').textContent = `The API reference could not be loaded: ${error}`;
  });
