import { httpUrl, listenAddress, statefulServiceSettings } from '@parley/service';
import { z } from 'zod';
import { s3BucketSetting } from './recordings/s3-settings.ts';
import { iceServerList } from './softphone-sessions/ice-servers.ts';
import { carrierList, jsonSetting, switchList } from './switch/connection/switch-settings.ts';

export const config = z.object({
  ...statefulServiceSettings,
  DIRECTORY_ADDRESS: z.string(),
  NUMBERS_ROUTING_ADDRESS: z.string(),
  SPEECH_ADDRESS: z.string(),
  ASSISTANT_ADDRESS: z.string(),
  /** Responses of directory and numbers-routing are cached for this time, unless an event says that they are outdated. */
  PEER_CACHE_MS: z.coerce.number().int().min(0).max(60_000).default(2000),
  /** Our own public address, for links to recordings; never taken from a request. */
  PUBLIC_URL: httpUrl,
  /** The lifetime of a registration, a conversation or a ring offer unless it is renewed. */
  PRESENCE_LEASE_SECS: z.coerce.number().positive().max(600).default(20),
  /** Domain and digest realm of softphones; the switch's `challenge-realm`. */
  SIP_DOMAIN: z.string().min(1).default('parley.invalid'),
  /** The address at which browsers connect for SIP over WebSocket; empty when there is none. */
  SIP_WEBSOCKET_URL: z.union([z.url({ protocol: /^wss?$/ }), z.literal('')]).default(''),
  /** STUN and TURN servers for browsers: a JSON array of `{urls, username, credential}`, or `{urls, secret}`. */
  ICE_SERVERS: jsonSetting(iceServerList).prefault('[]'),
  /** A JSON array of `{name, url: "esl://user:password@host:port", secret, recordings_dir, trunk, draining}`. */
  SWITCHES: jsonSetting(switchList).prefault('[]'),
  /** The calls of a switch that has been unreachable for this long are ended. */
  SWITCH_LOST_SECS: z.coerce.number().positive().max(3600).default(60),
  /** The HTTP interface for switches (phones, prompts, recordings); required with SWITCHES. */
  SWITCH_LISTEN: listenAddress.optional(),
  /** The same address as switches reach it. */
  SWITCH_HTTP_URL: httpUrl.default('http://127.0.0.1:8083'),
  /** A JSON array of `{name, dial: "sofia/external/{number}@host"}`, in order of preference. */
  CARRIERS: jsonSetting(carrierList).prefault('[]'),
  /**
   * The storage of recordings: JSON `{endpoint, region, bucket, prefix, access_key_id, secret_access_key}` of a bucket with Amazon
   * S3's protocol; null: in MongoDB.
   */
  RECORDINGS_S3: jsonSetting(s3BucketSetting.nullable()).prefault('null'),
});

export type Config = z.output<typeof config>;
