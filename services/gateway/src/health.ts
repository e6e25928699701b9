import type { Broker } from '@parley/events';
import { VERSION } from '@parley/service';
import express, { type Router } from 'express';
import type { Channels } from './peers/peers.ts';

const CHECK_TIME_MAX_MS = 2000;

/** 200 when the gateway and every service behind it can do their work; otherwise 503, naming who cannot. */
export function healthRouter(channels: Channels, broker: Broker): Router {
  return express.Router().get('/healthz', async (_request, response) => {
    const services = await Promise.all(
      Object.entries(channels).map(
        async ([name, channel]) => [name, await channel.healthy(CHECK_TIME_MAX_MS)] as const,
      ),
    );
    const checks = Object.fromEntries([...services, ['nats', broker.connected()]]);
    const ok = Object.values(checks).every(Boolean);
    response
      .set('Cache-Control', 'no-store')
      .status(ok ? 200 : 503)
      .json({ status: ok ? 'ok' : 'unavailable', version: VERSION, checks });
  });
}
