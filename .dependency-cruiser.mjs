/** The architecture as rules that fail the build. Each states what may not be imported, and why. */
export default {
  forbidden: [
    {
      name: 'services-do-not-import-services',
      comment: 'Services communicate through proto/ and events, never through imports.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'libs-do-not-import-services',
      comment: 'Libraries contain no business rules.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(services|deploy|e2e)/' },
    },
    {
      name: 'services-do-not-import-tooling',
      severity: 'error',
      from: { path: '^services/', pathNot: ['\\.test\\.ts$', '/test/'] },
      to: { path: '^(deploy|e2e|libs/testkit|libs/stubs|libs/embedded)/' },
    },
    {
      name: 'libs-run-without-testkit',
      severity: 'error',
      from: { path: '^libs/', pathNot: ['\\.test\\.ts$', '^libs/(testkit|stubs|embedded)/', '/test/'] },
      to: { path: '^libs/(testkit|stubs|embedded)/' },
    },
    {
      name: 'e2e-uses-public-interfaces',
      comment: 'End-to-end tests know services from outside; what they import is a tool, never what they test.',
      severity: 'error',
      from: { path: '^e2e/', pathNot: '^e2e/(benchmarks|seed)/' },
      to: {
        path: '^services/',
        pathNot: '^services/(sandbox/test|(sandbox|speech)/src/audio)',
      },
    },
    {
      name: 'clients-stand-alone',
      comment: 'Clients are published on their own; they know the product by its public interfaces.',
      severity: 'error',
      from: { path: '^clients/' },
      to: { path: '^(services|libs|proto|deploy|e2e)/' },
    },
    {
      name: 'the-conformance-kit-knows-no-implementation',
      comment:
        'It judges whoever implements the API, by what is specified; neither does it rely on our client being right.',
      severity: 'error',
      // It is packed like the other packages.
      from: { path: '^clients/conformance/', pathNot: '^clients/conformance/build/' },
      to: { path: ['^clients/(?!conformance/)', '^node_modules/@parley/'] },
    },
    {
      name: 'the-product-does-not-use-clients',
      severity: 'error',
      from: { path: '^(services|libs)/' },
      to: { path: '^clients/' },
    },
    {
      name: 'the-typescript-client-needs-nothing',
      comment: 'It runs in browsers, Node.js, Deno and Bun with what all of them have.',
      severity: 'error',
      from: { path: '^clients/typescript/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^clients/typescript/src/' },
    },
    {
      name: 'the-command-line-uses-other-clients-by-their-entries',
      comment: 'As any program does.',
      severity: 'error',
      from: { path: '^clients/cli/src/' },
      to: { path: '^clients/', pathNot: '^clients/(cli/|(typescript/src/(webhooks/)?|conformance/src/)index\\.ts$)' },
    },
    {
      name: 'decisions-do-no-io',
      comment: 'A file named after a noun decides; stores, protos and RPC files do the rest.',
      severity: 'error',
      from: {
        path: '^services/[^/]+/src/.+/[^/]+\\.ts$',
        pathNot: [
          '^services/(gateway|sandbox|speech)/',
          '\\.test\\.ts$',
          '/(rpc-|on-|send-|start-)[^/]*$',
          '-(store|proto|service|rpcs|cap|engine|worker|client|rpc|index)\\.ts$',
        ],
      },
      to: {
        path: [
          'node_modules/(mongodb|@grpc|@nats-io|express|undici|nodemailer)/',
          '^(node:)?(fs|net|http|https|child_process|dns)(/|$)',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { pathNot: '\\.test\\.ts$' },
      to: { circular: true },
    },
    { name: 'everything-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['node_modules', 'proto/gen'] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default', 'node'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
};
