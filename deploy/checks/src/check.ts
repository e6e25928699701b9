// The static checks of the repository. Arguments select checks by name.
import { runStaticChecks } from './static-checks.ts';

const { passed, failed } = await runStaticChecks(process.argv.slice(2));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
