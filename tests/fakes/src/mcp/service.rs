//! The MCP server itself: notes that are read, and erased by authorized clients.

use std::sync::Arc;

use axum::extract::{RawQuery, State as Shared};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, get};
use axum::{Json, Router};
use serde_json::{Value, json};

use super::authorization::READ;
use super::{State, World};

/// What the protocol calls itself in this version.
const VERSION: &str = "2025-06-18";
/// What erasing needs.
const WRITE: &str = "notes:write";

pub(super) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/.well-known/oauth-protected-resource/mcp", get(metadata))
        .route("/mcp", any(serve))
        .with_state(world)
}

/// RFC 9728.
async fn metadata(Shared(world): Shared<Arc<World>>) -> Json<Value> {
    let issuer = world.state().issuer.clone();
    Json(json!({
        "resource": world.resource(),
        "authorization_servers": [issuer.unwrap_or_else(|| world.origin.clone())],
        "scopes_supported": [READ],
        "bearer_methods_supported": ["header"],
    }))
}

async fn serve(
    Shared(world): Shared<Arc<World>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: String,
) -> Response {
    let mut state = world.state();
    if query.is_some_and(|query| query.contains("token")) {
        state.breaks("a token stands in an address");
    }
    let shown = headers.get(header::AUTHORIZATION);
    let shown = shown
        .and_then(|shown| shown.to_str().ok())
        .unwrap_or_default();
    let token = shown.strip_prefix("Bearer ").unwrap_or_default();
    let grant = state.authorization.grant(token);
    let Some(grant) = grant.filter(|_| !state.takes_none) else {
        return unauthorized(&world, token);
    };
    let may_write = grant.scopes.split(' ').any(|scope| scope == WRITE);
    let Ok(asked) = serde_json::from_str::<Value>(&body) else {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    };
    if asked.get("id").is_none() {
        return StatusCode::ACCEPTED.into_response();
    }
    if asked["params"]["name"] == "erase" && !may_write {
        return insufficient(&world);
    }
    let answer = match answer(&mut state, &asked, shown) {
        Ok(result) => json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}),
        Err(why) => {
            let error = json!({"code": -32601, "message": why});
            json!({"jsonrpc": "2.0", "id": asked["id"], "error": error})
        }
    };
    Json(answer).into_response()
}

fn answer(state: &mut State, asked: &Value, shown: &str) -> Result<Value, String> {
    let method = asked["method"].as_str().unwrap_or_default();
    let tool = |name: &str, description: &str| json!({"name": name, "description": description, "inputSchema": {"type": "object"}});
    match method {
        "initialize" => Ok(json!({
            "protocolVersion": VERSION,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "notes", "version": "1"},
        })),
        "ping" => Ok(json!({})),
        "tools/list" => Ok(json!({"tools": [
            tool("read", "Reads the notes."),
            tool("erase", "Erases the notes."),
            tool("shown", "Says what it was shown."),
        ]})),
        "tools/call" => {
            let name = asked["params"]["name"].as_str().unwrap_or_default();
            state.called.push(name.to_owned());
            let text = match name {
                "shown" => format!("You showed me: {shown}"),
                "erase" => "The notes are gone.".to_owned(),
                _ => "Buy fish.".to_owned(),
            };
            Ok(json!({"content": [{"type": "text", "text": text}], "isError": false}))
        }
        _ => Err(format!("no method {method}")),
    }
}

fn unauthorized(world: &World, token: &str) -> Response {
    let error = if token.is_empty() {
        String::new()
    } else {
        ", error=\"invalid_token\"".to_owned()
    };
    let origin = &world.origin;
    let challenge = format!(
        "Bearer resource_metadata=\"{origin}/.well-known/oauth-protected-resource/mcp\"{error}"
    );
    let headers = [(header::WWW_AUTHENTICATE, challenge)];
    (StatusCode::UNAUTHORIZED, headers).into_response()
}

fn insufficient(world: &World) -> Response {
    let origin = &world.origin;
    let challenge = format!(
        "Bearer error=\"insufficient_scope\", scope=\"{READ} {WRITE}\", \
         resource_metadata=\"{origin}/.well-known/oauth-protected-resource/mcp\""
    );
    let headers = [(header::WWW_AUTHENTICATE, challenge)];
    (StatusCode::FORBIDDEN, headers).into_response()
}
