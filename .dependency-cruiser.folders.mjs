import rules from './.dependency-cruiser.mjs';

/** The files that are started or imported by name. */
const STARTED = [
  '^services/.+/(main|index)\\.tsx?$',
  '^services/.+-(main|worker)\\.ts$',
  '^services/gateway/dashboard/src/(api-types|lucide-icons)\\.ts$',
];

/**
 * The folders of a library or service have an order: of two folders one imports the other, or neither does. Tests are left out:
 * they use what is in test/, which uses all of the package.
 */
export default {
  forbidden: [
    {
      name: 'no-cycles-between-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^((libs|services)/[^/]+/src|services/gateway/dashboard/app)' },
      to: { circular: true },
    },
    {
      name: 'src-runs-in-production',
      comment: 'Helpers of tests belong in test/ or libs/testkit: what is in src is part of the images.',
      severity: 'error',
      from: { path: STARTED },
      to: {
        path: '^(libs|services)/[^/]+/src/.+\\.ts$',
        pathNot: ['^libs/(testkit|stubs|embedded)/', ...STARTED],
        reachable: false,
      },
    },
  ],
  options: { ...rules.options, exclude: { path: [...rules.options.exclude.path, '\\.test\\.ts$', '/test/'] } },
};
