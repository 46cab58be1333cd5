//! The authorization server: who is known, which codes and tokens are out, and what each is good for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::extract::State as Shared;
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use url::Url;

use super::{Answer, State, World};

/// The scope that everybody gets who asks for nothing else.
pub(super) const READ: &str = "notes:read";

/// What is known and what is out.
#[derive(Debug)]
pub(super) struct Authorization {
    pub(super) lasts_secs: u64,
    pub(super) secrets: Vec<String>,
    pub(super) renewals: usize,
    pub(super) replays: usize,
    is_closed: bool,
    clients: BTreeMap<String, Client>,
    codes: BTreeMap<String, Code>,
    access: BTreeMap<String, Grant>,
    refresh: BTreeMap<String, Grant>,
    used: BTreeSet<String>,
}

#[derive(Debug, Clone)]
struct Client {
    redirect: String,
    secret: Option<String>,
}

#[derive(Debug, Clone)]
struct Code {
    challenge: String,
    redirect: String,
    grant: Grant,
}

/// What a token is good for.
#[derive(Debug, Clone)]
pub(super) struct Grant {
    client: String,
    pub(super) scopes: String,
}

impl Default for Authorization {
    fn default() -> Self {
        Self {
            lasts_secs: 3600,
            secrets: Vec::new(),
            renewals: 0,
            replays: 0,
            is_closed: false,
            clients: BTreeMap::new(),
            codes: BTreeMap::new(),
            access: BTreeMap::new(),
            refresh: BTreeMap::new(),
            used: BTreeSet::new(),
        }
    }
}

impl Authorization {
    pub(super) fn knows_only(&mut self, id: &str, secret: &str, redirect: &str) {
        self.is_closed = true;
        let client = Client {
            redirect: redirect.to_owned(),
            secret: Some(secret.to_owned()),
        };
        self.clients = BTreeMap::from([(id.to_owned(), client)]);
    }

    pub(super) fn end_access_tokens(&mut self) {
        self.access.clear();
    }

    pub(super) fn revoke_everything(&mut self) {
        self.access.clear();
        self.refresh.clear();
    }

    /// Returns what a token of a request is good for.
    pub(super) fn grant(&self, token: &str) -> Option<&Grant> {
        self.access.get(token)
    }

    fn new_secret(&mut self, kind: &str) -> String {
        let number = self.secrets.len();
        let random = Sha256::digest(format!("{kind} {number} {self:p}").as_bytes());
        let secret = format!("{kind}.{random:x}");
        self.secrets.push(secret.clone());
        secret
    }

    fn give(&mut self, grant: Grant) -> Answer {
        let (access, refresh) = (self.new_secret("at"), self.new_secret("rt"));
        let answer = json!({
            "access_token": access,
            "token_type": "Bearer",
            "expires_in": self.lasts_secs,
            "refresh_token": refresh,
            "scope": grant.scopes,
        });
        self.access.insert(access, grant.clone());
        self.refresh.insert(refresh, grant);
        (StatusCode::OK, Json(answer))
    }
}

pub(super) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/.well-known/oauth-authorization-server", get(metadata))
        .route("/register", post(register))
        .route("/token", post(token))
        .with_state(world)
}

async fn metadata(Shared(world): Shared<Arc<World>>) -> Json<Value> {
    let origin = &world.origin;
    let mut metadata = json!({
        "issuer": origin,
        "authorization_endpoint": format!("{origin}/authorize"),
        "token_endpoint": format!("{origin}/token"),
        "registration_endpoint": format!("{origin}/register"),
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_post"],
        "authorization_response_iss_parameter_supported": true,
    });
    if world.state().authorization.is_closed
        && let Some(fields) = metadata.as_object_mut()
    {
        fields.remove("registration_endpoint");
    }
    Json(metadata)
}

/// RFC 7591, as a client on somebody's machine uses it.
async fn register(Shared(world): Shared<Arc<World>>, Json(wanted): Json<Value>) -> Answer {
    let mut state = world.state();
    let redirect = wanted["redirect_uris"][0].as_str().unwrap_or_default();
    let is_loopback = redirect.starts_with("http://127.0.0.1:");
    let has = |field: &str, value: &str| {
        let values = wanted[field].as_array();
        values.is_some_and(|values| values.iter().any(|it| it == value))
    };
    let is_whole = is_loopback
        && has("grant_types", "authorization_code")
        && has("grant_types", "refresh_token")
        && has("response_types", "code")
        && wanted["token_endpoint_auth_method"] == "none"
        && wanted["client_name"].is_string();
    if !is_whole || state.authorization.is_closed {
        state.breaks(format!("a registration that would be refused: {wanted}"));
        return refusal("invalid_client_metadata");
    }
    let id = format!("client-{}", state.authorization.clients.len());
    let client = Client {
        redirect: redirect.to_owned(),
        secret: None,
    };
    state.authorization.clients.insert(id.clone(), client);
    let registered = json!({"client_id": id, "redirect_uris": [redirect]});
    (StatusCode::CREATED, Json(registered))
}

/// What the browser does: the person logs in and says yes. Returns where it is sent.
pub(super) fn authorize(state: &mut State, world: &World, address: &Url) -> Result<String, String> {
    let wanted: BTreeMap<String, String> = address.query_pairs().into_owned().collect();
    let get = |name: &str| wanted.get(name).map(String::as_str).unwrap_or_default();
    let client = state.authorization.clients.get(get("client_id")).cloned();
    let client = client.ok_or("nobody knows this client")?;
    if client.redirect != get("redirect_uri") {
        return Err(format!("{} is not registered", get("redirect_uri")));
    }
    for (name, value) in [
        ("response_type", "code"),
        ("code_challenge_method", "S256"),
        ("resource", &world.resource()),
    ] {
        if get(name) != value {
            state.breaks(format!("`{name}` is `{}`, not `{value}`", get(name)));
        }
    }
    if get("state").len() < 16 || get("code_challenge").len() != 43 {
        state.breaks("without a state or a challenge that nobody guesses");
    }
    let scopes = match get("scope") {
        "" => READ.to_owned(),
        scopes => scopes.to_owned(),
    };
    let grant = Grant {
        client: get("client_id").to_owned(),
        scopes,
    };
    let code = state.authorization.new_secret("code");
    let mut back = Url::parse(get("redirect_uri")).map_err(|error| error.to_string())?;
    back.query_pairs_mut()
        .append_pair("code", &code)
        .append_pair("state", get("state"))
        .append_pair("iss", &world.origin);
    let kept = Code {
        challenge: get("code_challenge").to_owned(),
        redirect: get("redirect_uri").to_owned(),
        grant,
    };
    state.authorization.codes.insert(code, kept);
    Ok(back.into())
}

async fn token(Shared(world): Shared<Arc<World>>, headers: HeaderMap, body: String) -> Answer {
    let form: BTreeMap<String, String> = url::form_urlencoded::parse(body.as_bytes())
        .into_owned()
        .collect();
    let get = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    let mut state = world.state();
    let content_type = headers.get(header::CONTENT_TYPE);
    if content_type.is_none_or(|it| it != "application/x-www-form-urlencoded") {
        state.breaks("a token request that is no form");
    }
    if get("resource") != world.resource() {
        state.breaks(format!("tokens are wanted for `{}`", get("resource")));
    }
    let Some(client) = state.authorization.clients.get(get("client_id")).cloned() else {
        return refusal("invalid_client");
    };
    if client.secret.as_deref().unwrap_or_default() != get("client_secret") {
        return refusal("invalid_client");
    }
    match get("grant_type") {
        "authorization_code" => {
            let Some(code) = state.authorization.codes.remove(get("code")) else {
                return refusal("invalid_grant");
            };
            let proof = base64url(&Sha256::digest(get("code_verifier").as_bytes()));
            if proof != code.challenge
                || get("redirect_uri") != code.redirect
                || get("client_id") != code.grant.client
            {
                state.breaks("a code that is not theirs, or without its proof");
                return refusal("invalid_grant");
            }
            let verifier = get("code_verifier").to_owned();
            state.authorization.secrets.push(verifier);
            state.authorization.give(code.grant)
        }
        "refresh_token" => renew(&mut state, get("refresh_token"), get("client_id")),
        _ => refusal("unsupported_grant_type"),
    }
}

/// Each refresh token is good once. One that comes again may have been stolen, so all end.
fn renew(state: &mut State, refresh: &str, client: &str) -> Answer {
    if state.authorization.used.contains(refresh) {
        state.authorization.replays += 1;
        state.authorization.revoke_everything();
        return refusal("invalid_grant");
    }
    let grant = state.authorization.refresh.remove(refresh);
    let Some(grant) = grant.filter(|grant| grant.client == client) else {
        return refusal("invalid_grant");
    };
    state.authorization.used.insert(refresh.to_owned());
    state.authorization.renewals += 1;
    state.authorization.give(grant)
}

fn refusal(error: &str) -> Answer {
    (StatusCode::BAD_REQUEST, Json(json!({"error": error})))
}

/// RFC 4648, section 5, without padding.
fn base64url(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let groups = bytes.chunks(3).flat_map(|group| {
        let mut three = [0; 3];
        three[..group.len()].copy_from_slice(group);
        let number = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        let letter =
            move |place: usize| LETTERS[(number >> (18 - 6 * place)) as usize & 63] as char;
        (0..=group.len()).map(letter)
    });
    groups.collect()
}

#[cfg(test)]
mod tests {
    use sha2::{Digest as _, Sha256};

    use super::base64url;

    #[test]
    fn the_example_of_rfc_7636_is_met() {
        let proof = Sha256::digest(b"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        assert_eq!(
            base64url(&proof),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
    }
}
