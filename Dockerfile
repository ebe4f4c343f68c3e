# syntax=docker/dockerfile:1
# Deskline in a container. How to run it: docs/operations.md. The Node.js here is the one that the tests run on.

FROM node:24.21.0-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
# Completes the embedded PostgreSQL by its links; where the service runs nothing can be written beside it.
COPY src/platform/postgres/binaries.ts src/platform/postgres/error.ts src/platform/postgres/
RUN node --input-type=module --eval \
  "await (await import('/app/src/platform/postgres/binaries.ts')).findBinaries('/nowhere')"

FROM node:24.21.0-trixie-slim AS pages
WORKDIR /app
COPY package.json package-lock.json ./
COPY client client
COPY docs/openapi.json docs/
COPY packaging/build-pages.js packaging/
COPY src/lib/user-agent.ts src/lib/
COPY src/tickets/forms/judge-form.ts src/tickets/forms/
COPY src/tickets/actions/skip-reasons.ts src/tickets/actions/
COPY web web
RUN npm ci --ignore-scripts --no-audit --no-fund && node packaging/build-pages.js

FROM node:24.21.0-trixie-slim
LABEL org.opencontainers.image.title="Deskline" \
  org.opencontainers.image.description="The backend of a support desk" \
  org.opencontainers.image.licenses="MIT"
# Number 10001 belongs to nobody on the host. PostgreSQL wants its user to have a name.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin deskline \
  && install --directory --owner=deskline --group=deskline --mode=0700 /data \
  && ln -s /app/bin/deskline.js /usr/local/bin/deskline

WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json package-lock.json LICENSE ./
COPY bin bin
COPY docs/licences.md docs/openapi.json docs/
COPY migrations migrations
COPY src src
COPY --from=pages /app/web/dist web/dist
# Keeps what it compiles, so that each start takes half the time. Node.js uses only what the same user has compiled, who may not
# change it later.
RUN install --directory --owner=deskline --group=deskline node_modules/.cache/deskline \
  && setpriv --reuid=10001 --regid=10001 --clear-groups deskline --version \
  && chown --recursive root:root node_modules/.cache \
  && chmod --recursive a+rX node_modules/.cache

ENV NODE_ENV=production DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# A worker has no PORT to be asked on: it needs METRICS_PORT. The first start creates a database, and one after a crash repairs it.
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --start-interval=1s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT || 3000}/livez`, { signal: AbortSignal.timeout(4000) }).then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# tini is process 1: it passes on signals, and takes away what PostgreSQL's processes leave behind.
ENTRYPOINT ["tini", "--", "deskline"]
CMD ["serve"]
