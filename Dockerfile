# syntax=docker/dockerfile:1

# Compiles both halves. Whatever `cargo xtask dist` needs and does not find, it prepares itself.
FROM rust:1.95-bookworm AS build
RUN rustup target add wasm32-unknown-unknown
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/root/.cache/replygate \
    --mount=type=cache,target=/build \
    CARGO_TARGET_DIR=/build cargo xtask dist \
    && mkdir -p /out/data \
    && cp -r dist /out/replygate

# The C library, certificates, and nothing to log in with.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build --chown=root:root /out/replygate /opt/replygate
COPY --from=build --chown=nonroot:nonroot /out/data /data
ENV REPLYGATE__SERVER__LISTEN=0.0.0.0:8420 \
    REPLYGATE__SERVER__DATA_DIR=/data
USER nonroot
VOLUME /data
EXPOSE 8420
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=6 CMD ["/opt/replygate/replygate", "health"]
ENTRYPOINT ["/opt/replygate/replygate"]
CMD ["serve"]
