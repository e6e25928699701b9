// Docker's health check of an image: checks the readiness on the service's own health port. Kubernetes does not use it.
const port = (process.env.HEALTH_LISTEN ?? '0.0.0.0:9090').split(':').at(-1);
const answer = await fetch(`http://127.0.0.1:${port}/healthz/ready`, { signal: AbortSignal.timeout(2500) }).catch(
  () => undefined,
);
process.exitCode = answer?.ok ? 0 : 1;
