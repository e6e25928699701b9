import rules from './.dependency-cruiser.mjs';

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
  ],
  options: { ...rules.options, exclude: { path: [...rules.options.exclude.path, '\\.test\\.ts$', '/test/'] } },
};
