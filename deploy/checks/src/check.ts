// Everything that can be said about the repository without running the product.
import { runStaticChecks } from './static-checks.ts';

const { passed, failed } = await runStaticChecks();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
