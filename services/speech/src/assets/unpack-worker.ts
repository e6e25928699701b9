import { extract } from 'tar';
import { serveJobs } from '../workers/serve-jobs.ts';
import type { UnpackJob } from './unpack.ts';

serveJobs<UnpackJob, undefined>(async ({ tarball, folder, files }) => {
  const wanted = new Set(files);
  await extract({
    file: tarball,
    cwd: folder,
    strip: 1,
    preserveOwner: false,
    filter: (name) => wanted.has(name.split('/').slice(1).join('/')),
  });
  return undefined;
});
